// SPDX-License-Identifier: BSD-3-Clause
// Systems in a frame, as their author writes them: one page of code.
//
//   struct Name {
//     Expression mass = 1.0; …                                 // parameters with their presets
//     static constexpr CoordinateInfo coordinates[] = {{"x", "m"}, …};           // N of them
//     template <class S> S lagrangian(const Vec<S, N>& q, const Vec<S, N>& v) const;
//     template <class S> Mat<S, m, N> frame(const Vec<S, N>& q) const;           // rows u_1 … u_m
//   };
// and optionally
//     quasi_lagrangian(q, xi) with n ≥ m quasi-velocities, in place of lagrangian(q, v) or beside
//     it (then in the equations of motion, lagrangian for the methods in coordinates);
//     complement(q): Mat<S, n − m, N>, the fields u_{m+1} … u_n; else coordinate fields;
//     brackets(q): std::array<BracketOf<S>, K>, c_ij^k with indices from 1;
//     forces(q, v, t): Vec<S, N>;
//     extra_invariants[] with extra_invariant_values(FramePoint);
//     exact(q0, xi0): the closed solution, with at(t) → FrameMotion.
// Called with Expressions, these functions leave their formulas behind: frame_model(system), in
// which parameters are symbols. Those that are held as double are constants of the formulas.
//
// A system whose number of coordinates is chosen at run time writes its formulas itself:
//   struct Name {
//     int n = 3; …                                 // in a table of counts, core/parameters.hpp
//     FrameModel model() const;                    // with_variables, then lagrangian, frame, …
//     InitialValues start() const;                 // the default start for these sizes,
//     static constexpr std::string_view default_start = "…";                    // and in words
//   };
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <string_view>

#include "hamel/core/error.hpp"
#include "hamel/core/parameters.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/models/frame_model.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

/// c_ij^k = value; indices from 1 as in the literature.
template <class S>
struct BracketOf {
  int i, j, k;
  S value;
};

/// Where a frame system is and how it moves.
template <class S, int N, int M>
struct FramePoint {
  Vec<S, N> q, v;
  Vec<S, M> xi, p;
};

template <class T>
concept FrameSystem = requires {
  T::coordinates;
}
&&requires(const T& system) {
  requires std::size(T::coordinates)
  > 0;
};

/// As many coordinates as its values say.
template <class T>
concept SizedFrameSystem = requires(const T& system) {
  { system.model() } -> std::same_as<FrameModel>;
  { system.start() } -> std::same_as<InitialValues>;
};

namespace detail {

template <class System>
inline constexpr int frame_coordinates = static_cast<int>(std::size(System::coordinates));

template <class System>
using FrameQ = Vec<Expression, frame_coordinates<System>>;

template <class System>
inline constexpr int frame_fields = decltype([]<class S, int R, int C>(const Mat<S, R, C>&) {
  return std::integral_constant<int, R>{};
}(std::declval<const System&>().frame(std::declval<FrameQ<System>>())))::value;

/// Quasi-velocities in the Lagrangian: those of the frame, or what the system says.
template <class System>
constexpr int quasi_velocities() {
  if constexpr (requires { System::quasi_velocities; })
    return System::quasi_velocities;
  else
    return frame_fields<System>;
}

template <int N>
Vec<Expression, N> as_vec(std::span<const Expression> list) {
  Vec<Expression, N> out;
  for (int i = 0; i < N; ++i) out[i] = list[static_cast<std::size_t>(i)];
  return out;
}

template <int R, int C>
std::vector<Expressions> as_rows(const Mat<Expression, R, C>& matrix) {
  std::vector<Expressions> rows(R, Expressions(C));
  for (int i = 0; i < R; ++i)
    for (int b = 0; b < C; ++b)
      rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(b)] = matrix(i, b);
  return rows;
}

}  // namespace detail

/// Calls use(info, member) for each parameter that is a symbol of the formulas.
template <class System, class Use>
void each_symbol(const Use& use) {
  if constexpr (requires { System::parameters[0].member; })
    for (const auto& info : System::parameters)
      if constexpr (std::same_as<decltype(info.member), Expression System::*>)
        use(info, info.member);
}

/// The formulas of a system.
template <FrameSystem System>
FrameModel frame_model(System system) {
  constexpr int N = detail::frame_coordinates<System>;
  constexpr int m = detail::frame_fields<System>;
  constexpr int n = detail::quasi_velocities<System>();
  std::vector<std::string> names;
  for (const auto& c : System::coordinates) names.emplace_back(c.name);
  FrameModel model = FrameModel::with_variables(std::move(names), n, m);
  const System given = system;
  each_symbol<System>([&](const auto& info, Expression System::*member) {
    system.*member = model.parameter(std::string(info.name), static_cast<double>(given.*member));
  });
  const auto q = detail::as_vec<N>(model.q);
  const auto v = detail::as_vec<N>(model.v);
  const auto xi = detail::as_vec<n>(model.xi);
  model.frame = detail::as_rows(system.frame(q));
  if constexpr (requires { system.quasi_lagrangian(q, xi); }) {
    model.quasi = true;
    model.lagrangian = system.quasi_lagrangian(q, xi);
    if constexpr (requires { system.lagrangian(q, v); })
      model.in_velocities = system.lagrangian(q, v);
  } else {
    model.lagrangian = system.lagrangian(q, v);
  }
  if constexpr (requires { system.complement(q); })
    model.complement = detail::as_rows(system.complement(q));
  if constexpr (requires { system.brackets(q); }) {
    model.brackets_given = true;
    for (const auto& [i, j, k, value] : system.brackets(q))
      model.brackets.push_back({i - 1, j - 1, k - 1, value});
  }
  if constexpr (requires { system.forces(q, v, model.t); }) {
    const auto f = system.forces(q, v, model.t);
    for (int b = 0; b < N; ++b) model.force.push_back(f[b]);
  }
  if constexpr (requires { System::extra_invariants; }) {
    const FramePoint<Expression, N, m> point{q, v, detail::as_vec<m>(model.xi),
                                             detail::as_vec<m>(model.p)};
    const auto values = system.extra_invariant_values(point);
    int i = 0;
    for (const auto& info : System::extra_invariants)
      model.invariants.push_back({std::string(info.name), std::string(info.unit),
                                  std::string(info.description), values[i++]});
  }
  mark_redundancy(model);
  if (model.quasi) complete_frame(model);
  if constexpr (requires(std::vector<Quad> x) { system.exact(x, x); })
    model.exact = [given](std::span<const double> numbers, const std::vector<Quad>& q0,
                          const std::vector<Quad>& xi0) {
      System own = given;
      std::size_t next = 0;
      each_symbol<System>(
          [&](const auto&, Expression System::*member) { own.*member = numbers[next++]; });
      return [solution = own.exact(q0, xi0)](Quad t) { return solution.at(t); };
    };
  return model;
}
template <SizedFrameSystem System>
FrameModel frame_model(const System& system) {
  FrameModel model = system.model();
  mark_redundancy(model);
  if (model.quasi) complete_frame(model);
  return model;
}

}  // namespace hamel
