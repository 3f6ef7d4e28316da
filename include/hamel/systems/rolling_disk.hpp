// SPDX-License-Identifier: BSD-3-Clause
// The vertical rolling disk: a disk that stays upright, rolls without slipping, and turns.
//
//   q = (x, y, θ, φ): contact point, rolling angle, heading,
//   L = (m/2)(ẋ² + ẏ²) + (I/2)θ̇² + (J/2)φ̇²,
//   u1 = ∂θ + R cosφ ∂x + R sinφ ∂y,  u2 = ∂φ;  not admissible:                         [MATH 4]
//   u3 = −sinφ ∂x + cosφ ∂y,  u4 = cosφ ∂x + sinφ ∂y,
//   ξ = (θ̇, φ̇) =: (ω, Ω), both constant: a circle of radius R|ω/Ω|, or a straight line.
// Every motion is a relative equilibrium. Energy and both momenta are quadratic: the discrete Hamel
// step keeps them, on a circle of another radius (docs/systems/rolling_disk.md).
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

/// The circle, or the line where Ω = 0.
class RollingDiskSolution {
 public:
  RollingDiskSolution(Quad radius, const std::vector<Quad>& q, const std::vector<Quad>& xi)
      : radius_(radius), q_(q), xi_(xi) {}

  FrameMotion at(Quad t) const {
    const Quad half = xi_[1] * t / 2;
    // sin(φ + 2z) − sin φ = 2 cos(φ + z) sin z: accurate for slow turning
    const Quad chord = radius_ * xi_[0] * t * (half == 0 ? Quad(1) : sin(half) / half);
    return {{q_[0] + chord * cos(q_[3] + half), q_[1] + chord * sin(q_[3] + half),
             q_[2] + xi_[0] * t, q_[3] + 2 * half},
            xi_};
  }

 private:
  Quad radius_;
  std::vector<Quad> q_, xi_;
};

struct RollingDisk {
  Expression mass = 1.0;
  Expression radius = 0.5;
  Expression inertia = 0.2;
  Expression turning_inertia = 0.1;

  static constexpr std::string_view summary = "an upright disk that rolls and turns";
  static constexpr std::string_view equations =
      "theta'' = 0,  phi'' = 0;  x' = R theta' cos(phi), y' = R theta' sin(phi);  "
      "xi = (theta', phi')";
  static constexpr std::string_view reference = "D1; MATH 4";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<RollingDisk, Expression> parameters[] = {
      {"mass", "kg", "mass", Range::positive, &RollingDisk::mass},
      {"radius", "m", "radius", Range::positive, &RollingDisk::radius},
      {"inertia", "kg m^2", "moment of inertia about the axle", Range::positive,
       &RollingDisk::inertia},
      {"turning_inertia", "kg m^2", "moment of inertia about a diameter", Range::positive,
       &RollingDisk::turning_inertia}};
  static constexpr CoordinateInfo coordinates[] = {
      {"x", "m"}, {"y", "m"}, {"theta", "rad"}, {"phi", "rad"}};

  template <class S>
  S lagrangian(const Vec<S, 4>&, const Vec<S, 4>& v) const {
    return S(0.5 * mass) * (v[0] * v[0] + v[1] * v[1]) + S(0.5 * inertia) * v[2] * v[2] +
           S(0.5 * turning_inertia) * v[3] * v[3];  // [MATH 4]
  }
  template <class S>
  Mat<S, 2, 4> frame(const Vec<S, 4>& q) const {
    return {{{S(radius) * cos(q[3]), S(radius) * sin(q[3]), S(1.0), S(0.0)},
             {S(0.0), S(0.0), S(0.0), S(1.0)}}};  // [MATH 4]
  }
  template <class S>
  Mat<S, 2, 4> complement(const Vec<S, 4>& q) const {
    return {{{-sin(q[3]), cos(q[3]), S(0.0), S(0.0)},
             {cos(q[3]), sin(q[3]), S(0.0), S(0.0)}}};  // [MATH 4]
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"rolling", "kg m^2/s", "(I + m R^2) theta'"}, {"turning", "kg m^2/s", "J phi'"}};
  template <class S>
  Vec<S, 2> extra_invariant_values(const FramePoint<S, 4, 2>& x) const {
    return {{x.p[0], x.p[1]}};
  }

  RollingDiskSolution exact(const std::vector<Quad>& q, const std::vector<Quad>& xi) const {
    return {Quad(radius), q, xi};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.0, 0.0, 0.0, 0.3}}, {"xi", {2.0, 1.0}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
