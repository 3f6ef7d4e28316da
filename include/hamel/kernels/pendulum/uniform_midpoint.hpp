// SPDX-License-Identifier: BSD-3-Clause
// The midpoint of one Hamel step in a uniform field, by one cubic equation.
//
// Unknown are q_m = ½(q+q') and a = (h/2)ω_m of
//   q_m = q + a×q_m,   a = (h/2)(ω − ½(hG) q_m×e3).                         [MATH 5.1] [MATH 5.2]
// Write the horizontal parts as complex numbers, Q = q1+iq2, A = (h/2)(ω1+iω2), with k = h²G/4,
// a3 = (h/2)ω3 (constant) and ζ the height of q_m. The horizontal equations are linear in Q_m,
//   Q_m (1 − kζ − i a3) = Q − iAζ,
// and the vertical one becomes, with x = ζ − q3, u = 1 − k q3, B = |A|², s = Im(A*Q), p = Re(A*Q),
//   k²x³ − 2uk x² + (u² + a3² + B − sk) x + (B − sk) q3 − s − p a3 + k|Q|² = 0.
// A cubic always has a real root; for steps of interest it is nearly linear, and its reversed
// series with one correction is exact to round-off.
//
// Exactness. E is kept for any Q_m, because the increments of ω and q3 use the same Q_m and one
// fl(hG): a is formed as (h/2)·(ω − ½fl(hG) q_m×e3), never with a rounded product k, so that no
// rounding of a constant acts as a steady source [MATH 8.1]. |q| and q·ω rest on the root.
// Products with a constant of a short period in its digits, such as h = 0.2, are rounded with a
// bias: 2e-20 of E a step, 2e-11 over 1e9. With compensated summation the increments are therefore
// improved by the residuals r of the equations in twice the precision, carries included:
//   δ = r + (h/2)f'r,  r_q = h ω_m×q_m − dq,  r_ω = −fl(hG) q_m×e3 − dω,
// which leaves 1e-22 a step.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/core/summation.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/rotation.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel {

template <class S>
struct UniformMidpoint {
  Vec<S, 3> q;  ///< q_m
  Vec<S, 3> a;  ///< (h/2) ω_m

  /// Solves from the left end (q0, ω0); half = h/2, half_kick = ½ fl(hG). The solver's tolerance
  /// is the error of the height q_m3 on the unit sphere.
  HAMEL_KERNEL StepReport<S> solve(const Vec<S, 3>& q0, const Vec<S, 3>& omega, const S& half,
                                   const S& half_kick, const SolverOptions& options) {
    const S k = half * half_kick;
    const S A1 = half * omega[0];
    const S A2 = half * omega[1];
    const S a3 = half * omega[2];
    const S a33 = a3 * a3;
    const S s = A1 * q0[1] - A2 * q0[0];
    const S p = A1 * q0[0] + A2 * q0[1];
    const S u = S(1.0) - k * q0[2];
    const S bs = (A1 * A1 + A2 * A2) - s * k;
    const S c0 = (bs * q0[2] + (k * (q0[0] * q0[0] + q0[1] * q0[1]) - p * a3)) - s;
    const S c1 = (u * u + a33) + bs;
    const S c2 = S(-2.0) * (u * k);
    const S c3 = k * k;

    S x;
    StepReport<S> report = solve_cubic(c0, c1, c2, c3, options, x);
    const S z = q0[2] + x;
    const S um = u - k * x;
    const S denominator = um * um + a33;
    report.singular = report.singular || !(denominator > S(0.0));
    const S inverse = S(1.0) / denominator;
    const S n1 = q0[0] + A2 * z;  // Q − iAζ
    const S n2 = q0[1] - A1 * z;
    q = {{(n1 * um - n2 * a3) * inverse, (n1 * a3 + n2 * um) * inverse, z}};
    a = {{half * (omega[0] - half_kick * q[1]), half * (omega[1] + half_kick * q[0]), a3}};
    return report;
  }

  /// q' − q = 2a×q_m. With compensated summation it is formed as (Cay(a) − I)q, whose length does
  /// not feel the rounding of q_m, and freed from what rounding leaves of q·dq + ½|dq|² = 0, the
  /// condition that |q'| = |q|: a half to a sixth of the drift in length over 1e7 steps.
  template <Summation Mode>
  HAMEL_KERNEL Vec<S, 3> increment(const Vec<S, 3>& q0) const {
    if constexpr (Mode == Summation::compensated) {
      const Vec<S, 3> dq = cayley_increment(a, q0);
      return dq - (dot(q0, dq) + S(0.5) * norm2(dq)) * q0;
    } else {
      return S(2.0) * cross(a, q);
    }
  }

  /// What dq and dω lack below their last digits: see above. h = 2 half, fl(hG) = 2 half_kick.
  template <class Q, class W>
  HAMEL_KERNEL static void improve(const Q& q, const W& omega, const S& half, const S& half_kick,
                                   const Vec<S, 3>& dq, const Vec<S, 3>& dw, Vec<S, 3>& below_q,
                                   Vec<S, 3>& below_w) {
    const S h = S(2.0) * half;
    const S kick = S(2.0) * half_kick;
    Vec<S, 3> m;  // q_m = m + m_low, ω_m = w + w_low
    Vec<S, 3> m_low;
    Vec<S, 3> w;
    Vec<S, 3> w_low;
    for (int i = 0; i < 3; ++i) {
      const S x = S(0.5) * dq[i];
      const S y = S(0.5) * dw[i];
      m[i] = q.value[i] + x;
      m_low[i] = sum_error(q.value[i], x, m[i]) + q.carry[i];
      w[i] = omega.value[i] + y;
      w_low[i] = sum_error(omega.value[i], y, w[i]) + omega.carry[i];
    }
    Vec<S, 3> rq;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const int k = (i + 2) % 3;
      const S p1 = w[j] * m[k];
      const S p2 = w[k] * m[j];
      const S p = p1 - p2;
      const S low = (sum_error(p1, -p2, p) +
                     (product_error(w[j], m[k], p1) - product_error(w[k], m[j], p2))) +
                    ((w[j] * m_low[k] - w[k] * m_low[j]) + (w_low[j] * m[k] - w_low[k] * m[j]));
      const S turn = h * p;
      rq[i] = (turn - dq[i]) + (product_error(h, p, turn) + h * low);
    }
    const S k1 = kick * m[1];
    const S k0 = kick * m[0];
    const Vec<S, 3> rw{{-(k1 + dw[0]) - (product_error(kick, m[1], k1) + kick * m_low[1]),
                        (k0 - dw[1]) + (product_error(kick, m[0], k0) + kick * m_low[0]), S(0.0)}};
    below_q = rq + half * (cross(rw, m) + cross(w, rq));
    below_w = {{rw[0] - half_kick * rq[1], rw[1] + half_kick * rq[0], S(0.0)}};
  }

 private:
  /// The root of c3x³ + c2x² + c1x + c0 that goes to 0 with c0.
  HAMEL_KERNEL static StepReport<S> solve_cubic(const S& c0, const S& c1, const S& c2, const S& c3,
                                                const SolverOptions& options, S& x) {
    const S tolerance = S(options.template effective<S>());
    const S round_off = S(RealOf<S>(4.0) * Epsilon<S>::value);  // stagnation: |ζ| ≤ 1
    const S inverse = S(1.0) / c1;
    const S y = -(c0 * inverse);
    const S e2 = c2 * inverse;
    const S e3 = c3 * inverse;
    const S t2 = e2 * y;
    const S t3 = e3 * (y * y);
    // Reversed series x = y − e2y² + (2e2² − e3)y³ − 5(e2³ − e2e3)y⁴ …, where it converges.
    const S series =
        y * ((S(1.0) - t2) + ((S(2.0) * (t2 * t2) - t3) - S(5.0) * (t2 * (t2 * t2 - t3))));
    x = select(abs(t2) < S(0.2), series, y);

    StepReport<S> report;
    MaskOf<S> active(true);
    for (int i = 0; i < options.max_iterations && any(active); ++i) {
      const S value = ((c3 * x + c2) * x + c1) * x + c0;
      S step;
      MaskOf<S> done;
      if (i == 0) {  // c1/g' = 1/(1+t) ≈ 1 − t + t² − t³: no second division; relative error t⁴
        const S t = x * ((e2 + e2) + S(3.0) * (e3 * x));
        const S tt = t * t;
        step = (value * inverse) * ((S(1.0) - t) * (S(1.0) + tt));
        done = abs(step) * (abs(step) + tt * tt) <= tolerance;
      } else {
        step = value / ((S(3.0) * c3 * x + S(2.0) * c2) * x + c1);
        done = step * step <= tolerance || abs(step) <= round_off;
      }
      x = select(active, x - step, x);
      report.iterations = select(active, report.iterations + CountOf<S>(1), report.iterations);
      const MaskOf<S> broken = !(abs(step) <= S(1e100));
      report.singular = report.singular || (active && broken);
      active = active && !(done || broken);
    }
    report.no_convergence = active;
    for (int i = 0; i < ScalarTraits<S>::derivatives; ++i)
      x = x - (((c3 * x + c2) * x + c1) * x + c0) / ((S(3.0) * c3 * x + S(2.0) * c2) * x + c1);
    return report;
  }
};

}  // namespace hamel
