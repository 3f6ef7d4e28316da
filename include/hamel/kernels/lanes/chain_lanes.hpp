// SPDX-License-Identifier: BSD-3-Clause
// D2's variational step of chains in lanes: chains of as many links, each with its own masses,
// lengths and gravity, without other forces. The state is that of chain_kernel.hpp, and so are the
// operations: a lane has the bits of a chain that is stepped alone.                      [MATH 7.2]
//
// A step at one Newton correction has three passes over the links and two solutions of tridiagonal
// systems between them: d' at the λ guessed, its residuals and Newton's equations; d' and u½ at the
// λ found, their residuals and the equations for μ; u'. Each lane has its own end and then repeats
// its last trial. 275 instructions a link with AVX2; a third of the time goes into the solutions,
// whose divisions wait for each other.
// Measured, n = 10, ns per link, step and member on a Zen 4 core of 2.6 GHz: AVX-512 4.6, AVX2 6.3,
// SSE2 13; one chain alone, its links in lanes, 23.
#pragma once

#include <utility>

#include "hamel/core/lanes.hpp"
#include "hamel/core/triple.hpp"
#include "hamel/kernels/chain/chain_kernel.hpp"
#include "hamel/kernels/chain/chain_newton.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/kernels/lanes/sphere_lanes.hpp"

namespace hamel::lanes {

#define HAMEL_INLINED __attribute__((always_inline))

/// One register: its passes have enough to do while they wait for a division.
inline constexpr int chains_together = register_lanes;
using Chains = Lanes<chains_together>;

/// A number of every chain, as the compiler knows it, and a vector.
using Number = typename Chains::Native;
using Vector = Triple<Number>;

class ChainsStep {
 public:
  // Between two steps.
  Vector* d;
  Vector* u;
  Number* memory[4];     ///< λ/h, the last one first
  std::int64_t history;  ///< steps remembered

  ChainsStep(const hamel_lanes::EnsembleTask& task, int first)
      : history(task.history),
        n_(task.links),
        solver_{task.tolerance, task.max_iterations},
        h_(task.h - Number{}),
        inverse_h_(1.0 / h_) {
    auto* free = reinterpret_cast<Number*>(task.scratch);
    for (Vector** list : {&d, &u, &next_, &next_u_, &change_})
      *list = reinterpret_cast<Vector*>(std::exchange(free, free + 3 * n_));
    for (Number*& list : memory) list = std::exchange(free, free + n_);
    for (Number** list : {&k_, &minus_c_, &l2_, &inverse_l2_, &row_k_, &row_c_, &lambda_, &lower_,
                          &diagonal_, &upper_, &right_, &w_})
      *list = std::exchange(free, free + n_);
    const auto constant = [&](int i) {
      return Chains::load(task.constants + i * hamel_lanes::ensemble_lanes + first).part[0];
    };
    gravity_ = constant(2 * n_);
    fall_ = -(0.5 * h_) * gravity_;
    for (int i = 0; i < n_; ++i) {
      const Number l = constant(n_ + i);
      k_[i] = 1.0 / constant(i);
      const Number c = i > 0 ? k_[i] + k_[i - 1] : k_[i];
      minus_c_[i] = -c;
      l2_[i] = l * l;
      inverse_l2_[i] = 1.0 / l2_[i];
      row_k_[i] = (h_ + h_) * k_[i];
      row_c_[i] = -((h_ + h_) * c);
    }
  }

  /// One step of all lanes; those that fail, or do not go on, keep their state.
  StepReport<Chains> step(const LaneMask<chains_together>& going) noexcept {
    StepReport<Chains> report = positions();
    report.singular = report.singular || !velocities();
    const Mask stays = going && !report.failed();
    if (!all(stays)) [[unlikely]]
      keep(stays);
    std::swap(d, next_);
    std::swap(u, next_u_);
    Number* const newest = memory[3];
    for (int ago = 3; ago > 0; --ago) memory[ago] = memory[ago - 1];
    memory[0] = newest;
    ++history;
    return report;
  }

 private:
  using Mask = LaneMask<chains_together>;

  static constexpr Vector zero{Number{}, Number{}, Number{}};

  /// each(i, which) for all links; which.first and which.last are known when compiling.
  template <bool First, bool Last>
  struct Link {
    static constexpr bool first = First;
    static constexpr bool last = Last;
  };
  template <class Each>
  HAMEL_INLINED void links(Each&& each) const noexcept {
    if (n_ == 1) return each(0, Link<true, true>{});
    each(0, Link<true, false>{});
    for (int i = 1; i < n_ - 1; ++i) each(i, Link<false, false>{});
    each(n_ - 1, Link<false, true>{});
  }

  template <bool First>
  HAMEL_INLINED Vector kicked(const Vector& x) const noexcept {
    if constexpr (First) return {x.x, x.y, x.z + fall_};
    return x;
  }
  HAMEL_INLINED static void enlarge(Chains& worst, const Number& by) noexcept {
    Chains size;
    size.part[0] = by;
    worst = larger(worst, size);
  }

  /// (h/2)·tension of the continuous motion, d_i·ü_i + |u_i|² = 0.
  __attribute__((noinline)) void first_guess() noexcept {
    for (int i = 0; i < n_; ++i) {
      right_[i] = -dot(u[i], u[i]);
      diagonal_[i] = minus_c_[i] * dot(d[i], d[i]);
      if (i + 1 < n_) upper_[i] = k_[i] * dot(d[i], d[i + 1]);
    }
    right_[0] = right_[0] + gravity_ * d[0].z;
    solve(upper_ - 1, [&](int i, const Number& x) { lambda_[i] = 0.5 * h_ * x; });
  }
  __attribute__((noinline)) void guess() noexcept {
    const auto& [last, before, older, oldest] = memory;
    for (int i = 0; i < n_; ++i)
      lambda_[i] = h_ * (history == 3   ? 3.0 * (last[i] - before[i]) + older[i]
                         : history == 2 ? 2.0 * last[i] - before[i]
                                        : last[i]);
  }

  /// λ, d', u½ − u + kick and the equations for μ.
  StepReport<Chains> positions() noexcept {
    const ChainNewton<Chains> ends(solver_.tolerance);
    StepReport<Chains> report;
    Mask active(true);
    Chains previous(1e300);
    Chains worst;
    if (history >= 4) {
      worst = newton<true>();
    } else {
      history == 0 ? first_guess() : guess();
      worst = newton<false>();
    }
    for (int trials = 1;; ++trials) {
      report.iterations = select(active, report.iterations + Chains(1.0), report.iterations);
      const Mask done = ends.found(worst, previous);
      const Mask broken = ChainNewton<Chains>::lost(worst);
      report.no_solution = report.no_solution || (active && broken);
      active = active && !(done || broken);
      if (trials == solver_.max_iterations) {
        report.no_solution = report.no_solution || active;
        active = Mask(false);
      }
      previous = worst;
      const bool more = any(active);
      if (trials > 1) {
        if (!more) return report;
        newton<false>();
      }
      if (more)
        solve(lower_, [&](int i, const Number& x) HAMEL_INLINED {
          lambda_[i] = active.part[0] ? lambda_[i] + x : lambda_[i];
        });
      worst = projection();
      if (!more) return report;
    }
  }

  template <bool Guess>
  HAMEL_INLINED Number lambda(int i) const noexcept {
    if constexpr (!Guess) return lambda_[i];
    const auto& [last, before, older, oldest] = memory;
    const Number guessed = h_ * (4.0 * (last[i] + older[i]) - 6.0 * before[i] - oldest[i]);
    lambda_[i] = guessed;
    return guessed;
  }

  /// Residuals of d' at λ and Newton's equations for λ; the largest | |d_i'|²/l_i² − 1 |. Guess: λ
  /// is extrapolated first.
  template <bool Guess>
  Chains newton() noexcept {
    Chains worst(0.0);
    Vector tension = lambda<Guess>(0) * d[0];
    Vector pull_before = zero;
    links([&]<class L>(int i, L) HAMEL_INLINED {
      const Vector after = L::last ? zero : lambda<Guess>(i + 1) * d[i + 1];
      const Vector pull = k_[i] * (after - tension);
      const Vector change = kicked<L::first>(pull - pull_before);
      const Vector next = d[i] + h_ * (u[i] + change);  // [MATH 7.2]
      const Number residual = dot(next, next) - l2_[i];
      right_[i] = -residual;
      enlarge(worst, residual * inverse_l2_[i]);
      if constexpr (!L::first) lower_[i] = row_k_[i - 1] * dot(next, d[i - 1]);
      diagonal_[i] = row_c_[i] * dot(next, d[i]);
      if constexpr (!L::last) upper_[i] = row_k_[i] * dot(next, d[i + 1]);
      tension = after;
      pull_before = pull;
    });
    return worst;
  }

  /// d', u½ − u + kick and the equations for μ, d_i'·(u½ + kick + T(μ)d')_i = 0; the worst residual
  /// as above.
  Chains projection() noexcept {
    Chains worst(0.0);
    Vector tension = lambda_[0] * d[0];
    Vector pull_before = zero;
    Vector next_before = zero;
    links([&]<class L>(int i, L) HAMEL_INLINED {
      const Vector after = L::last ? zero : lambda_[i + 1] * d[i + 1];
      const Vector pull = k_[i] * (after - tension);
      const Vector once = kicked<L::first>(pull - pull_before);
      const Vector twice = kicked<L::first>(once);
      const Vector next = d[i] + h_ * (u[i] + once);  // [MATH 7.2]
      next_[i] = next;
      change_[i] = twice;
      const Number length2 = dot(next, next);
      enlarge(worst, (length2 - l2_[i]) * inverse_l2_[i]);
      right_[i] = -dot(next, u[i] + twice);
      diagonal_[i] = minus_c_[i] * length2;
      if constexpr (!L::first) upper_[i - 1] = k_[i - 1] * dot(next_before, next);
      tension = after;
      pull_before = pull;
      next_before = next;
    });
    return worst;
  }

  /// Solves with the rows (lower, diagonal_, upper_) and right_, from both ends towards the middle,
  /// so that divisions overlap, and back: put(i, x_i). False where that is not finite.
  template <class Put>
  HAMEL_INLINED Mask solve(const Number* lower, Put&& put) noexcept {
    const int middle = n_ / 2;
    const int last = n_ - 1;
    const auto eliminate = [&](int i, const Number& near, const Number& far, Number& w, Number& r)
                               HAMEL_INLINED {
                                 const Number inverse = 1.0 / (diagonal_[i] - near * w);
                                 r = (right_[i] - near * r) * inverse;
                                 w = far * inverse;
                                 right_[i] = r;
                                 w_[i] = w;
                               };
    Number wf{}, rf{}, wb{}, rb{};  // forth, and back
    const int pairs = last / 2;
    if (pairs > 0) {
      eliminate(0, Number{}, upper_[0], wf, rf);
      eliminate(last, Number{}, lower[last], wb, rb);
    }
    for (int i = 1; i < pairs; ++i) {
      const int j = last - i;
      eliminate(i, lower[i], upper_[i], wf, rf);
      eliminate(j, upper_[j], lower[j], wb, rb);
    }
    if (n_ % 2 == 0) {
      const int i = middle - 1;
      eliminate(i, i > 0 ? lower[i] : Number{}, upper_[i], wf, rf);
    }
    const Number below = middle > 0 ? lower[middle] : Number{};
    const Number above = middle < last ? upper_[middle] : Number{};
    const Number found =
        (right_[middle] - below * rf - above * rb) / (diagonal_[middle] - below * wf - above * wb);
    put(middle, found);
    Number up = found;
    Number down = found;
    if (n_ % 2 == 0) {
      up = right_[middle - 1] - w_[middle - 1] * up;
      put(middle - 1, up);
    }
    for (int i = pairs - 1; i >= 0; --i) {
      const int j = last - i;
      up = right_[i] - w_[i] * up;
      down = right_[j] - w_[j] * down;
      put(i, up);
      put(j, down);
    }
    Chains sizes[3];
    sizes[0].part[0] = found;
    sizes[1].part[0] = up;
    sizes[2].part[0] = down;
    const Chains size = abs(sizes[0]) + (abs(sizes[1]) + abs(sizes[2]));
    return size - size == Chains(0.0);
  }

  /// μ and u'; false where they are not finite.
  Mask velocities() noexcept {
    const Mask finite =
        solve(upper_ - 1, [&](int i, const Number& x) HAMEL_INLINED { right_[i] = x; });
    Vector tension = right_[0] * next_[0];
    Vector pull_before = zero;
    links([&]<class L>(int i, L) HAMEL_INLINED {
      const Vector after = L::last ? zero : right_[i + 1] * next_[i + 1];
      const Vector pull = k_[i] * (after - tension);
      next_u_[i] = u[i] + (change_[i] + (pull - pull_before));  // [MATH 7.2]
      memory[3][i] = lambda_[i] * inverse_h_;
      tension = after;
      pull_before = pull;
    });
    return finite;
  }

  /// Of the other lanes the state before.
  __attribute__((noinline)) void keep(const Mask& stays) noexcept {
    const auto kept = [&](const Number& before, Number& now) {
      now = stays.part[0] ? now : before;
    };
    for (int i = 0; i < n_; ++i) {
      kept(d[i].x, next_[i].x);
      kept(d[i].y, next_[i].y);
      kept(d[i].z, next_[i].z);
      kept(u[i].x, next_u_[i].x);
      kept(u[i].y, next_u_[i].y);
      kept(u[i].z, next_u_[i].z);
    }
  }

  int n_;
  SolverOptions solver_;
  Number h_, inverse_h_, gravity_, fall_;
  Number *k_, *minus_c_, *l2_, *inverse_l2_;
  Number *row_k_, *row_c_;  // 2h k, −2h c
  Number *lambda_, *lower_, *diagonal_, *upper_, *right_, *w_;
  Vector *next_, *next_u_, *change_;
};

inline void chain_steps(const hamel_lanes::EnsembleTask& task,
                        hamel_lanes::EnsembleOutcome& outcome) noexcept {
  constexpr int lanes = hamel_lanes::ensemble_lanes;
  const int n = task.links;
  const std::int64_t stride = hamel_lanes::chain_stride(n);
  // λ/h, the last one first; in the state its place goes round.
  const auto remembered = [&](int ago, std::int64_t history) {
    return 6 + static_cast<int>((history + 3 - ago) % 4);
  };
  for (int first = 0; first < task.members; first += chains_together) {
    ChainsStep chains(task, first);
    const auto place = [&](int list, int i) {
      return task.state + (list * stride + hamel_lanes::chain_pad + i) * lanes + first;
    };
    const auto load = [&](int list, int i, Number& to) {
      to = Chains::load(place(list, i)).part[0];
    };
    const auto store = [&](int list, int i, const Number& from) {
      Chains number;
      number.part[0] = from;
      number.store(place(list, i));
    };
    const auto all_numbers = [&](std::int64_t history, const auto& each) {
      for (int i = 0; i < n; ++i) {
        each(0, i, chains.d[i].x);
        each(1, i, chains.d[i].y);
        each(2, i, chains.d[i].z);
        each(3, i, chains.u[i].x);
        each(4, i, chains.u[i].y);
        each(5, i, chains.u[i].z);
        for (int ago = 0; ago < 4; ++ago) each(remembered(ago, history), i, chains.memory[ago][i]);
      }
    };
    all_numbers(task.history, load);
    MemberCount<chains_together> count;
    for (std::int64_t i = 0; i < task.steps; ++i)
      if (!count.add(chains.step(count.going()))) break;
    all_numbers(task.history + task.steps, store);
    count.write(outcome, first);
  }
}

#undef HAMEL_INLINED

}  // namespace hamel::lanes
