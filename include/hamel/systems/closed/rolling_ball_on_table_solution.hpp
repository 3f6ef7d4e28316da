// SPDX-License-Identifier: BSD-3-Clause
// The motion of a homogeneous ball that rolls on a turning table.
//
// In space the centre's velocity turns uniformly, v̇ = kΩ e3×v, k = I/(I + mρ²): with φ = kΩt and
// A(φ) the rotation about e3 by φ
//   v = A(φ)v0,   r = r0 + t (sin ½φ/½φ) A(½φ)v0,
// a circle about r0 + e3×v0/(kΩ), or a straight line where Ω = 0. On the table's axes, turned by
// Ωt: A(−Ωt)r, and ξ from ẋ = ρξ2, ẏ = −ρξ1; ξ3 is constant.
#pragma once

#include <vector>

#include "hamel/core/scalar.hpp"
#include "hamel/models/frame_model.hpp"

namespace hamel {

class RollingBallOnTableSolution {
 public:
  /// Radius ρ, turning rate Ω, k; q = (x, y) and ξ on the table's axes.
  RollingBallOnTableSolution(Quad radius, Quad Omega, Quad k, const std::vector<Quad>& q,
                             const std::vector<Quad>& xi)
      : radius_(radius),
        Omega_(Omega),
        k_(k),
        r0_{q[0], q[1]},
        v0_{radius * xi[1] - Omega * q[1], Omega * q[0] - radius * xi[0]},
        xi3_(xi[2]) {}

  FrameMotion at(Quad t) const {
    const Quad half = k_ * Omega_ * t / 2;
    const Quad along = half == 0 ? t : t * sin(half) / half;
    const Plane chord = turned(v0_, half);
    const Plane r = turned({r0_.x + along * chord.x, r0_.y + along * chord.y}, -Omega_ * t);
    const Plane v = turned(v0_, 2 * half - Omega_ * t);
    return {{r.x, r.y}, {(Omega_ * r.x - v.y) / radius_, (v.x + Omega_ * r.y) / radius_, xi3_}};
  }

 private:
  struct Plane {
    Quad x, y;
  };
  static Plane turned(Plane a, Quad angle) {
    const Quad c = cos(angle);
    const Quad s = sin(angle);
    return {c * a.x - s * a.y, s * a.x + c * a.y};
  }

  Quad radius_, Omega_, k_;
  Plane r0_, v0_;
  Quad xi3_;
};

}  // namespace hamel
