// SPDX-License-Identifier: BSD-3-Clause
// The spherical pendulum in closed form, for all energies and momenta and all times.
//
//   q̇ = ω×q,   ω̇ = −G q×e3,   |q| = 1,   ω·q = 0,   G = g/r ≥ 0      ([MATH 5.1] in space)
//   ε = ½|ω|² + G z,   J = ω3,   z = q3:      ż² = 2(ε − Gz)(1 − z²) − J²            (1)
//
// Height. With the turning heights z1 ≤ z2 ≤ 1 ≤ z3 (spherical_pendulum_turning_points.hpp)
//   z = z1 + (z2 − z1) sn²(u | m),   u = u0 + κt,
//   κ² = ½G(z3 − z1),   m = (z2 − z1)/(z3 − z1),   m1 = 1 − m.                                (2)
//
// Position. φ̇ = J/(1 − z²) = ½J/(1+z) + ½J/(1−z), so that q1 + i q2 = f1 f2 with
//   |f1|² = 1 + z,   d(arg f1)/dt = ½J/(1+z),
//   |f2|² = 1 − z,   d(arg f2)/dt = ½J/(1−z):                                                 (3)
// (f1, f̄2)/√2 is a unit spinor and q its image under the Hopf map. Integrating (3) by elliptic
// integrals of the third kind gives arguments that jump by ±π within a time ~J at the poles
// [DLMF 19.7.9]; in theta functions the same integrals are smooth (compare Whittaker, Analytical
// Dynamics, ch. IV):
//   f1 = c1 H(u − iv1)/Θ(u) exp(iλ1 u),      sc²(v1 | m1) = (1 + z1)/(z2 − z1)
//   f2 = c2 H1(u − iv2)/Θ(u) exp(iλ2 u),     sc²(v2 | m1) = (1 − z2)/(m (z3 − 1)).            (4)
// f1 (f2) vanishes where the height, continued to complex time, reaches the lower (upper) pole
// with ż = iJ (ż = −iJ). As J → 0 v1 → 0 and f1 becomes the signed real function √(1+z2) sn u: a
// planar motion runs through the pole without any special case, and J needs no threshold.
// λ1, λ2 follow from (3) at the turning points z2, z1; c1, c2 from |f1|, |f2| there.
//
// Velocity, without division by 1 − z²:
//   ż = 2 Re(f̄1 ḟ1) = −2 Re(f̄2 ḟ2),   ω1 + iω2 = i(z ḟ − ż f),   f = f1 f2,   ω3 = J.   (5)
//
// Errors in the absence of ill-conditioned data: a few eps(1 + κt) of Quad; the rounding of double
// initial data costs ~1e-16 times the condition number of the flow, ~κt away from the separatrix.
#pragma once

#include <optional>
#include <sstream>

#include "hamel/core/error.hpp"
#include "hamel/core/quad.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/elliptic.hpp"
#include "hamel/systems/closed/spherical_pendulum_turning_points.hpp"

namespace hamel {

namespace detail {

/// The motion in the frame where the bob passes its lowest point at azimuth 0, for t = 0 there.
class PendulumOrbit {
 public:
  using Complex = theta::Complex<Quad>;
  struct Point {
    Complex f;      ///< q1 + i q2
    Quad z;         ///< q3
    Complex omega;  ///< ω1 + i ω2
  };

  PendulumOrbit(Quad G, const SphericalPendulumTurningPoints<Quad>& turning, Quad J)
      : PendulumOrbit(turning, J, modulus(G, turning)) {}

  /// At u = κ(time since the lowest point).
  Point at(Quad u) const {
    const auto [turns, x] = lattice_.reduce(lattice_.rate * u);
    auto [f1, df1, f2, df2] = quotients_(x);
    f1 = c1_ * f1;
    f2 = c2_ * f2;
    df1 = (c1_ * rate_) * df1;
    df2 = (c2_ * rate_) * df2;
    const Quad angle = lambda_ * x + turns * angle_per_turn_;
    const Complex turn{cos(angle), sin(angle)};
    const Complex f = turn * (f1 * f2);
    const Complex f_dot =
        turn * (df1 * f2 + f1 * df2) + Complex{-rate_ * lambda_ * f.im, rate_ * lambda_ * f.re};
    const Quad y = norm2(f1);
    const Quad w = norm2(f2);
    const Quad z = y < w ? y - 1 : 1 - w;
    const Quad z_dot = y < w ? 2 * (conj(f1) * df1).re : -2 * (conj(f2) * df2).re;  // (5)
    const Complex g = z * f_dot - z_dot * f;
    if (mirrored_) return {conj(f), z, {g.im, g.re}};
    return {f, z, {-g.im, g.re}};
  }

  Quad kappa() const { return kappa_; }
  Quad quarter_period() const { return lattice_.K / kappa_; }

 private:
  using Turning = SphericalPendulumTurningPoints<Quad>;

  struct Modulus {
    Quad two_kappa2, m, m1;
  };
  static Modulus modulus(Quad G, const Turning& turning) {  // (2)
    const Quad two_kappa2 = turning.s + G * turning.w1;
    return {two_kappa2, G * turning.span / two_kappa2, (turning.s + G * turning.w2) / two_kappa2};
  }

  PendulumOrbit(const Turning& turning, Quad J, const Modulus& mod)
      : kappa_(sqrt(mod.two_kappa2 / 2)),
        mirrored_(J < 0),
        lattice_(mod.m, mod.m1),
        quotients_(lattice_, shift(turning.y1, turning.span, mod.m),
                   shift(mod.two_kappa2 * turning.w2, turning.span * turning.s, mod.m)),  // (4)
        rate_(kappa_ * lattice_.rate) {
    const auto top = quotients_(lattice_.half_period);
    const auto bottom = quotients_(Quad(0));
    c1_ = sqrt(turning.y2 / norm2(top.f1));
    c2_ = sqrt(turning.w1 / norm2(bottom.f2));
    const Quad half_J = abs(J) / (2 * rate_);
    lambda_ = half_J / turning.y2 - (conj(top.f1) * top.df1).im / norm2(top.f1) +
              half_J / turning.w1 - (conj(bottom.f2) * bottom.df2).im / norm2(bottom.f2);
    const bool endless = !(lattice_.half_period - lattice_.half_period == 0);
    angle_per_turn_ =
        quotients_.angle_per_turn() + (endless ? Quad(0) : 2 * lattice_.half_period * lambda_);
  }

  /// v with sc²(v | m1) = a/b; infinite for b = m = 0, irrelevant for a = b = 0.  [DLMF 19.25.5]
  static Quad shift(Quad a, Quad b, Quad m) {
    if (a == 0) return 0;
    const Quad sn2 = a / (a + b);
    const Quad cn2 = b / (a + b);
    const Quad dn2 = cn2 + m * sn2;  // 1 − m1 sn²
    if (dn2 == 0) return complete_k(Quad(0));
    return elliptic_f(sqrt(sn2), cn2, dn2);
  }

  Quad kappa_;
  bool mirrored_;  ///< J < 0: the motion for −J, reflected in the plane of q1 and q3
  theta::Lattice<Quad> lattice_;
  theta::Quotients<Quad> quotients_;
  Quad rate_;            ///< dx/dt
  Quad c1_, c2_;         ///< of (4)
  Quad lambda_;          ///< (λ1 + λ2) du/dx
  Quad angle_per_turn_;  ///< azimuth from one lowest point to the next, modulo 2π
};

}  // namespace detail

/// Exact states of one motion of the spherical pendulum.
///
/// Initial data need satisfy |q| = 1 and ω·q = 0 only to round-off: q is normalised and ω replaced
/// by ω − (ω·q)q in Quad, and the solution, ε and J are those of the result.
class SphericalPendulumSolution {
 public:
  template <class S>
  struct State {
    Vec<S, 3> q;      ///< unit vector pivot → bob
    Vec<S, 3> omega;  ///< angular velocity, rad/s
  };

  /// G = g/r in 1/s², G ≥ 0. Throws InputError for other G, for data that are not finite, and for
  /// q0 = 0.
  SphericalPendulumSolution(Quad G, const Vec<Quad, 3>& q0, const Vec<Quad, 3>& omega0)
      : initial_(on_the_sphere(G, q0, omega0)) {
    const auto& [q, omega] = initial_;
    J_ = omega[2];
    energy_ = norm2(omega) / 2 + G * q[2];
    lowest_ = highest_ = q[2];
    const Quad rho2 = q[0] * q[0] + q[1] * q[1];
    if (norm2(omega) > 0 || G * rho2 > 0) start(G, rho2);
  }

  /// The same from double data.
  SphericalPendulumSolution(double G, const Vec<double, 3>& q0, const Vec<double, 3>& omega0)
      : SphericalPendulumSolution(Quad(G), cast<Quad>(q0), cast<Quad>(omega0)) {}

  /// State at time t (s) of either sign; constant for an equilibrium.
  State<Quad> at(Quad t) const {
    if (!orbit_) return initial_;
    const auto point = orbit_->at(u0_ + orbit_->kappa() * t);
    const Complex f = azimuth_ * point.f;
    const Complex omega = azimuth_ * point.omega;
    return {{{f.re, f.im, point.z}}, {{omega.re, omega.im, J_}}};
  }

  /// State at time t, computed in Quad and rounded to double.
  State<double> at_double(double t) const {
    const State<Quad> state = at(Quad(t));
    return {cast<double>(state.q), cast<double>(state.omega)};
  }

  Quad energy() const { return energy_; }        ///< ε = ½|ω|² + G q3
  Quad vertical_momentum() const { return J_; }  ///< J = ω3
  Quad lowest() const { return lowest_; }        ///< z1
  Quad highest() const { return highest_; }      ///< z2
  /// Of the height. Infinite on the separatrix, 0 for an equilibrium.
  Quad period() const { return orbit_ ? 2 * orbit_->quarter_period() : Quad(0); }

 private:
  using Complex = detail::PendulumOrbit::Complex;

  static State<Quad> on_the_sphere(Quad G, const Vec<Quad, 3>& q0, const Vec<Quad, 3>& omega0) {
    const Quad length = norm(q0);
    const Quad speed = norm(omega0);
    require(G >= 0 && G - G == 0, "G must be finite and at least 0, is ", G);
    require(length > 0 && length - length == 0, "|q0| must be finite and positive, is ", length);
    require(speed - speed == 0, "|omega0| must be finite, is ", speed);
    const Vec<Quad, 3> q = (1 / length) * q0;
    Vec<Quad, 3> omega = omega0 - dot(omega0, q) * q;
    // That leaves up to eps·|ω0| along q; at the poles J must vanish like the distance from them.
    int i = abs(q[0]) > abs(q[1]) ? 0 : 1;
    if (abs(q[2]) > abs(q[i])) i = 2;
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    omega[i] = -(omega[j] * q[j] + omega[k] * q[k]) / q[i];
    return {q, omega};
  }

  static void require(bool holds, const char* text, Quad value) {
    if (holds) return;
    std::ostringstream message;
    message << text << static_cast<double>(value);
    throw InputError(message.str());
  }

  void start(Quad G, Quad rho2) {
    const auto& [q, omega] = initial_;
    const Quad y0 = q[2] < 0 ? rho2 / (1 - q[2]) : 1 + q[2];  // 1 ± z without cancellation
    const Quad w0 = q[2] < 0 ? 1 - q[2] : rho2 / (1 + q[2]);
    const Quad z_dot = omega[0] * q[1] - omega[1] * q[0];
    const auto turning = turning_points(G, y0, w0, z_dot, norm2(omega) / 2, J_ * J_);
    lowest_ = turning.y1 - 1;
    highest_ = 1 - turning.w2;
    orbit_.emplace(G, turning, J_);
    if (turning.span > 0) {  // sn²u0 = (z0 − z1)/(z2 − z1) from (2)
      u0_ = elliptic_f(sqrt(turning.below / turning.span), turning.above / turning.span,
                       turning.L / (turning.L + 2 * G * turning.below));
      if (z_dot < 0) u0_ = -u0_;
    }
    // The rotation about e3 that takes the orbit's state to the given one. Position and velocity
    // agree on it and are not both zero.
    const auto point = orbit_->at(u0_);
    const Quad weight = 1 / (orbit_->kappa() * orbit_->kappa());
    const Complex c = conj(point.f) * Complex{q[0], q[1]} +
                      weight * (conj(point.omega) * Complex{omega[0], omega[1]});
    azimuth_ = (1 / sqrt(norm2(c))) * c;
  }

  State<Quad> initial_;
  Quad J_;
  Quad energy_;
  Quad lowest_;
  Quad highest_;
  std::optional<detail::PendulumOrbit> orbit_;  ///< none for an equilibrium
  Quad u0_ = 0;
  Complex azimuth_{Quad(1), Quad(0)};
};

}  // namespace hamel
