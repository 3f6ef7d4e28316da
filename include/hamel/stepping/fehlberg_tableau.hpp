// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of Fehlberg's pair of orders 7 and 8: E. Fehlberg, NASA TR R-287 (1968), table X.
#pragma once

#include "hamel/stepping/explicit_stepper.hpp"

namespace hamel {

template <class S>
ExplicitTableau<S> fehlberg_tableau() {
  const auto f = [](double a, double b) { return S(a) / S(b); };
  const S o = S(0.0);
  ExplicitTableau<S> t;
  t.order = 8;
  t.c = {o,       f(2, 27), f(1, 9), f(1, 6), f(5, 12), f(1, 2), f(5, 6),
         f(1, 6), f(2, 3),  f(1, 3), S(1.0),  o,        S(1.0)};
  t.a = {{},
         {f(2, 27)},
         {f(1, 36), f(1, 12)},
         {f(1, 24), o, f(1, 8)},
         {f(5, 12), o, f(-25, 16), f(25, 16)},
         {f(1, 20), o, o, f(1, 4), f(1, 5)},
         {f(-25, 108), o, o, f(125, 108), f(-65, 27), f(125, 54)},
         {f(31, 300), o, o, o, f(61, 225), f(-2, 9), f(13, 900)},
         {S(2.0), o, o, f(-53, 6), f(704, 45), f(-107, 9), f(67, 90), S(3.0)},
         {f(-91, 108), o, o, f(23, 108), f(-976, 135), f(311, 54), f(-19, 60), f(17, 6), f(-1, 12)},
         {f(2383, 4100), o, o, f(-341, 164), f(4496, 1025), f(-301, 82), f(2133, 4100), f(45, 82),
          f(45, 164), f(18, 41)},
         {f(3, 205), o, o, o, o, f(-6, 41), f(-3, 205), f(-3, 41), f(3, 41), f(6, 41), o},
         {f(-1777, 4100), o, o, f(-341, 164), f(4496, 1025), f(-289, 82), f(2193, 4100), f(51, 82),
          f(33, 164), f(12, 41), o, S(1.0)}};
  t.b = {o,        o,         o,         o, o,          f(34, 105), f(9, 35),
         f(9, 35), f(9, 280), f(9, 280), o, f(41, 840), f(41, 840)};
  t.error = {f(41, 840), o, o, o, o, o, o, o, o, o, f(41, 840), f(-41, 840), f(-41, 840)};
  return t;
}

}  // namespace hamel
