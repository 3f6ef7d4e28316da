// SPDX-License-Identifier: BSD-3-Clause
// Symmetric compositions of a symmetric method of order 2 (or higher).
//
//   Φ_h = φ_{γ_s h} ∘ … ∘ φ_{γ_1 h},   γ_i = γ_{s+1−i},  Σγ_i = 1                    [MATH 7.5]
//   su4: Suzuki, 5 stages, γ = 1/(4 − 4^{1/3}) twice, order 4;
//   kl6: Kahan & Li, 9 stages, order 6;   kl8: Kahan & Li, 17 stages, order 8.
// Coefficients: W. Kahan, R.-C. Li, Math. Comp. 66 (1997) 1089–1099; only the first (s−1)/2 are
// listed, as value + remainder (26 digits, enough for Quad); the middle one closes the sum.
// A composition keeps every invariant that the base method keeps, its symmetry and symplecticity.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "hamel/core/status.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

enum class Composition { none, su4, kl6, kl8 };

constexpr std::string_view to_string(Composition c) {
  constexpr std::string_view names[] = {"", "su4", "kl6", "kl8"};
  return names[static_cast<int>(c)];
}

constexpr std::optional<Composition> composition_named(std::string_view name) {
  for (const Composition c : {Composition::su4, Composition::kl6, Composition::kl8})
    if (to_string(c) == name) return c;
  return std::nullopt;
}

/// Order of the composition of a symmetric method of the given order.
constexpr int composed_order(Composition c, int base) {
  constexpr int orders[] = {0, 4, 6, 8};
  return base > orders[static_cast<int>(c)] ? base : orders[static_cast<int>(c)];
}

namespace detail {
struct TwoPart {
  double high, low;
};
inline constexpr TwoPart kl6[] = {  // [MATH 7.5]
    {0.3921614440073141, 1.98260947060107e-17},
    {0.33259913678935943, 9.998816861580819e-18},
    {-0.7062461725576393, -3.0817257969159525e-17},
    {0.0822135962935508, 5.551218884915305e-18}};
inline constexpr TwoPart kl8[] = {  // [MATH 7.5]
    {0.13020248308889007, 1.1160926478587086e-17},   {0.5611629817751084, 1.3032594121955553e-17},
    {-0.38947496264484727, -1.9606416555400348e-17}, {0.1588419065551556, 7.801358343533911e-18},
    {-0.39590389413323757, -1.1269790435660099e-17}, {0.1845396409783157, -3.914442028717345e-18},
    {0.25837438768632204, 9.400318801672474e-18},    {0.2950117236093103, 2.648390331662844e-17}};
}  // namespace detail

inline constexpr int max_composition_stages = 17;

/// All stages γ_1 … γ_s in scalar S; returns s.
template <class S>
int composition_coefficients(Composition c, std::array<S, max_composition_stages>& gamma) {
  int half = 0;
  if (c == Composition::su4) {
    const S su4 = S(1.0) / (S(4.0) - pow(S(4.0), S(1.0) / S(3.0)));  // [MATH 7.5]
    gamma[0] = gamma[1] = su4;
    half = 2;
  } else if (c != Composition::none) {
    const std::span<const detail::TwoPart> list =
        c == Composition::kl6 ? std::span<const detail::TwoPart>(detail::kl6) : detail::kl8;
    for (const auto& g : list) gamma[static_cast<std::size_t>(half++)] = S(g.high) + S(g.low);
  }
  S sum(0.0);
  for (int i = 0; i < half; ++i) sum = sum + gamma[static_cast<std::size_t>(i)];
  gamma[static_cast<std::size_t>(half)] = S(1.0) - (sum + sum);
  for (int i = 0; i < half; ++i)
    gamma[static_cast<std::size_t>(2 * half - i)] = gamma[static_cast<std::size_t>(i)];
  return 2 * half + 1;
}

/// The composed step of Base<System, S, Mode>.
template <template <class, class, Summation> class Base>
struct Composed {
  template <class System, class S, Summation Mode>
  class Step {
    using Inner = Base<System, S, Mode>;

   public:
    using State = typename Inner::State;

    template <class Method>
    Step(const Method& method, const System& system, const S& h, const SolverOptions& solver,
         Composition composition) {
      std::array<S, max_composition_stages> gamma;
      const int stages = composition_coefficients<S>(composition, gamma);
      inner_.reserve(static_cast<std::size_t>(stages));
      for (int i = 0; i < stages; ++i)
        inner_.emplace_back(method, system, gamma[static_cast<std::size_t>(i)] * h, solver);
    }

    template <class Initial>
    State start(const Initial& initial) const {
      return inner_.front().start(initial);
    }

    /// All stages, or none: a failed stage leaves the state of the last good step.
    StepReport<S> step(State& state) const noexcept {
      const State before = state;
      StepReport<S> total;
      for (const Inner& stage : inner_) {
        if constexpr (requires { state.forget(); }) state.forget();
        const StepReport<S> report = stage.step(state);
        total.iterations += report.iterations;
        if (report.failed()) {
          state = before;
          total.no_convergence = report.no_convergence;
          total.no_solution = report.no_solution;
          total.singular = report.singular;
          break;
        }
      }
      return total;
    }

    // What the base method tells of its state, as far as it does.
    auto observe(const State& state) const { return inner_.front().observe(state); }
    template <class I = Inner>
    auto kinematics(const State& state) const -> decltype(std::declval<I>().kinematics(state)) {
      return inner_.front().kinematics(state);
    }
    template <class I = Inner>
    auto Gamma(const State& state) const -> decltype(std::declval<I>().Gamma(state)) {
      return inner_.front().Gamma(state);
    }
    template <class I = Inner>
    auto Omega(const State& state) const -> decltype(std::declval<I>().Omega(state)) {
      return inner_.front().Omega(state);
    }

   private:
    std::vector<Inner> inner_;
  };
};

/// What a composition of a method claims.
inline Claims composed(Claims base, Composition c) {
  base.order = composed_order(c, base.order);
  base.constraint = false;  // each stage has a chord of its own
  return base;
}

}  // namespace hamel
