// SPDX-License-Identifier: BSD-3-Clause
// Turning heights of the spherical pendulum to full relative accuracy near both poles.
//
// With y = 1 + z and w = 1 − z the height obeys
//
//   ż² = 2(ε − Gz) y w − J² = 2G (z − z1)(z2 − z)(z3 − z),    −1 ≤ z1 ≤ z2 ≤ 1 ≤ z3.  (1)
//
// Everything below is arranged so that no small quantity is the difference of two large ones
// except where the initial data themselves are ill conditioned. Unknowns are s = G(z3 − 1) ≥ 0 and
// the distances of z1, z2 from the initial height z0; k = ½|ω|² is the kinetic energy.
//
//   2s(2G + s)(s − h) = G²J²,  h = ε − G = k0 − G w0,  s the largest root              (2)
//   2G(z3 − z0) = L = 2(G w0 + s),   z̈0 = −(G y0 w0 + 2 k0 z0)
//   (z0 − z1)(z2 − z0) = p = ż0²/L
//   (z1 − z0) + (z2 − z0) = b = 2(z̈0 + G p)/L,   z2 − z1 = √(b² + 4p)                 (3)
//   k1 = ε − G z1 = s + G y2,   y1 = J²/(2 w1 k1)                                      (4)
//   k2 = ε − G z2 = s + G y1,   w2 = J²/(2 y2 k2) = (k2 − h)/G                         (5)
//
// (2) is (1) at z3; (3) is Viète for (1) expanded about z0; (4), (5) are (1) at z1, z2 with
// z1 + z2 + z3 = ε/G. G = 0 needs no exception: s = k0.
#pragma once

#include "hamel/core/scalar.hpp"

namespace hamel {

template <class T>
struct SphericalPendulumTurningPoints {
  T below, above;  ///< z0 − z1 and z2 − z0
  T span;          ///< z2 − z1
  T y1, w1;        ///< 1 + z1, 1 − z1
  T y2, w2;        ///< 1 + z2, 1 − z2
  T s;             ///< G(z3 − 1)
  T L;             ///< 2G(z3 − z0)
};

/// Largest root of 2s(2G + s)(s − h) = G²J².
///
/// Newton's method from an upper bound: to the right of its largest root a cubic with real roots
/// is convex and increasing, so that the iterates fall monotonically; they stop when round-off
/// stops them. The bound is the root of 4G s(s − h) = G²J², tight for s ≪ G.
template <class T>
T largest_root(T G, T h, T J2) {
  const T root = sqrt(h * h + G * J2);
  T s = h >= 0 ? (root + h) / 2 : G * J2 / (2 * (root - h));
  for (int i = 0; i < 400 && s > 0; ++i) {
    const T f = 2 * s * (2 * G + s) * (s - h) - G * G * J2;
    const T df = (4 * G + 4 * s) * (s - h) + 2 * s * (2 * G + s);
    const T next = s - f / df;
    if (!(next < s)) break;
    s = next;
  }
  return s;
}

/// From G ≥ 0, the height z0 as y0 = 1 + z0 and w0 = 1 − z0, its rate, k0 = ½|ω|² and J² = ω3².
/// Precondition: not an equilibrium (k0 > 0, or G y0 w0 > 0).
template <class T>
SphericalPendulumTurningPoints<T> turning_points(T G, T y0, T w0, T z0_dot, T k0, T J2) {
  SphericalPendulumTurningPoints<T> out;
  const T h = k0 - G * w0;
  out.s = largest_root(G, h, J2);  // (2)
  out.L = 2 * (G * w0 + out.s);

  const T z0 = (y0 - w0) / 2;
  const T z0_ddot = -(G * y0 * w0 + 2 * k0 * z0);
  const T p = z0_dot * z0_dot / out.L;
  const T b = 2 * (z0_ddot + G * p) / out.L;  // (3)
  out.span = sqrt(b * b + 4 * p);
  const T larger = (out.span + abs(b)) / 2;
  const T smaller = larger > 0 ? p / larger : T(0);
  out.above = b >= 0 ? larger : smaller;
  out.below = b >= 0 ? smaller : larger;

  out.w1 = w0 + out.below;
  out.y2 = y0 + out.above;
  out.y1 = J2 / (2 * out.w1 * (out.s + G * out.y2));  // (4)
  const T k2 = out.s + G * out.y1;
  if (h < 0) {  // (5)
    out.w2 = (k2 - h) / G;
  } else {
    out.w2 = k2 > 0 ? J2 / (2 * out.y2 * k2) : T(0);
  }
  return out;
}

}  // namespace hamel
