// SPDX-License-Identifier: BSD-3-Clause
// When to stop the iteration for the stages of Gauss collocation, whose largest change is known.
//
// What an iteration leaves over is systematic and shows as drift: it ends where nothing is left, or
// at a tolerance.                                                                       [MATH 7.6]
#pragma once

#include "hamel/core/scalar.hpp"

namespace hamel {

enum class GaussVerdict { go_on, converged, failed };

template <class S>
class GaussStopping {
 public:
  /// Changes count relative to `scale`. A result that lags, a part of it being one iteration older
  /// than the rest, is left off by the last change too.
  GaussStopping(const S& tolerance, const S& scale, bool lags)
      : tolerance_(tolerance), lags_(lags), per_scale_(S(1.0) / scale) {}

  /// Changes shrink by a factor, the larger of the last two counting, until round-off hides it
  /// (they are tiny, or shrink no longer as they did); from there on they are taken to go on like
  /// that, until what is left is nothing beside it. They may go up and down on their way: stagnant
  /// is what has had no new least one for two iterations.
  GaussVerdict operator()(const S& largest) {
    const S floor = S(1e4) * Epsilon<S>::value;
    const S visible = S(64.0) * Epsilon<S>::value;  // above round-off
    // Of round-off: all alike they add up, in a million steps, to what round-off at random does,
    // in double 2e-13.
    const S below = S(0x1p-10);
    const S nothing = below * Epsilon<S>::value;
    const S change = largest * per_scale_;
    if (!(change <= S(1e30))) return GaussVerdict::failed;
    if (change == S(0.0)) return GaussVerdict::converged;
    bool shows = false;  // above round-off
    if (change < least_) {
      const S factor = least_ < S(1e300) ? change / least_ : S(1.0);
      shows = change > floor || (change > visible && factor <= S(4.0) * shrinks_);
      if (shows) {
        shrinks_ = factor > factor_ ? factor : factor_;
        factor_ = factor;
        expected_ = change;
      } else {
        expected_ = expected_ * shrinks_;
      }
      least_ = change;
      since_ = 0;
    } else {
      shows = change > floor;
      expected_ = shows ? change : expected_ * shrinks_;
      ++since_;
    }
    const S left =
        !lags_ && shrinks_ < S(0.5) ? expected_ * shrinks_ / (S(1.0) - shrinks_) : expected_;
    if (change <= tolerance_ || left <= tolerance_) return GaussVerdict::converged;
    if (least_ <= floor) {
      const bool done = left <= nothing || (!shows && left <= below * least_);
      return done || since_ >= 2 ? GaussVerdict::converged : GaussVerdict::go_on;
    }
    return since_ > 3 ? GaussVerdict::failed : GaussVerdict::go_on;
  }

 private:
  S tolerance_;
  bool lags_;
  S per_scale_;
  S least_ = S(1e300);
  S factor_ = S(1.0), shrinks_ = S(1.0);  // of the last change, and the larger of the last two
  S expected_ = S(1e300);                 // the change without round-off
  int since_ = 0;
};

}  // namespace hamel
