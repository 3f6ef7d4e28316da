// SPDX-License-Identifier: BSD-3-Clause
// ∫ f over [a, b] by 8-point Gauss–Legendre panels in Quad: order 16.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "hamel/core/scalar.hpp"

namespace hamel {

/// f(t) → Quad, or a type with Quad multiples and sums; panels no longer than `longest`.
template <class F>
auto gauss_panels(const F& f, Quad a, Quad b, Quad longest) {
  // nodes and weights on [−1, 1], half of them
  static const Quad nodes[] = {quad_from_string("0.18343464249564980493947614236018398"),
                               quad_from_string("0.52553240991632898581773904918924635"),
                               quad_from_string("0.79666647741362673959155393647583044"),
                               quad_from_string("0.96028985649753623168356086856947299")};
  static const Quad weights[] = {quad_from_string("0.36268378337836198296515044927719561"),
                                 quad_from_string("0.31370664587788728733796220198660131"),
                                 quad_from_string("0.22238103445337447054435599442624088"),
                                 quad_from_string("0.10122853629037625915253135430996219")};
  const Quad span = b - a;
  const auto panels = 1 + static_cast<std::int64_t>(abs(span) / longest);
  const Quad half = span / (2 * panels);
  decltype(half * f(a)) sum{};
  for (std::int64_t i = 0; i < panels; ++i) {
    const Quad middle = a + half * (2 * i + 1);
    for (int k = 0; k < 4; ++k)
      sum += (half * weights[k]) * (f(middle - half * nodes[k]) + f(middle + half * nodes[k]));
  }
  return sum;
}

/// ∫₀ᵗ f for an f that repeats itself or settles, so that late times cost no more than one period,
/// or than the time between `first` and `last`. Values in order of time cost only what is new.
template <class Value>
class LongIntegral {
 public:
  Quad longest = 1;                                       ///< panel
  Quad period = std::numeric_limits<double>::infinity();  ///< of f; infinite where it has none
  Quad first = -period, last = period;                    ///< f is constant before and after

  template <class F>
  Value operator()(const F& f, Quad t) {
    const Quad begin = min(max(Quad(0), first), last);
    const Quad end = min(max(t, first), last);
    const Quad periods = std::floor(static_cast<double>(end / period));
    Value sum{};
    Quad rest = end;
    if (periods != 0) {  // 0·∞ otherwise
      if (!whole_known_) whole_ = gauss_panels(f, 0, period, longest);
      whole_known_ = true;
      sum = periods * whole_;
      rest = end - periods * period;
    }
    if (!begun_ || (rest - at_) * (at_ - begin) < 0) {  // back towards the beginning: anew
      begun_ = true;
      at_ = begin;
      part_ = Value{};
    }
    part_ += gauss_panels(f, at_, rest, longest);
    at_ = rest;
    sum += part_;
    if (begin != 0) sum += begin * f(Quad(0));
    if (t != end) sum += (t - end) * f(t);
    return sum;
  }

 private:
  bool whole_known_ = false;
  bool begun_ = false;
  Quad at_ = 0;
  Value whole_{}, part_{};
};

}  // namespace hamel
