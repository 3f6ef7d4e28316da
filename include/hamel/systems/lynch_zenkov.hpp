// SPDX-License-Identifier: BSD-3-Clause
// The Lynch–Zenkov example: a nonholonomic system with a family of relative equilibria whose
// stability other integrators lose.
//
//   q = (r, g, s),  L = ½(ṙ² + ġ² + e^{−2g}ṡ²) − U(r),  ṡ + e^g(a(r)ṙ + b(r)ġ) = 0,     [MATH 4]
//   u1 = ∂r − a e^g ∂s,  u2 = ∂g − b e^g ∂s,  u3 = e^g ∂s;   c_12^3 = a − b', c_23^3 = 1,
//   l = ½(ξ1² + ξ2² + (ξ3 − k)²) − U,  k = aξ1 + bξ2,  ξ3 = 0 after differentiation.
// The symmetry (g, s) → (g + c, e^c s) leaves the equations free of g and s; s itself grows like
// e^g and overflows where g > 709. a, b, U are given as text in r. Source: C. Lynch, D. V. Zenkov,
// in D1.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "hamel/expressions/parse.hpp"
#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

struct LynchZenkov {
  std::string a = "1";
  std::string b = "0.5 + 2*r";
  std::string U = "2*r^2 + 0.5*r";

  static constexpr std::string_view summary =
      "nonholonomic; its relative equilibria test integrators";
  static constexpr std::string_view equations =
      "L = (r'^2 + g'^2 + e^(-2g) s'^2)/2 - U(r),  s' + e^g (a(r) r' + b(r) g') = 0;  "
      "xi = (r', g')";
  static constexpr std::string_view reference = "D1; MATH 4, 10";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr std::array<Parameter<LynchZenkov>, 0> parameters{};
  static constexpr TextParameter<LynchZenkov> texts[] = {
      {"a", "r", "coefficient of the constraint", &LynchZenkov::a},
      {"b", "r", "coefficient of the constraint", &LynchZenkov::b},
      {"U", "r", "potential energy", &LynchZenkov::U}};
  static constexpr CoordinateInfo coordinates[] = {{"r", "1"}, {"g", "1"}, {"s", "1"}};
  static constexpr int quasi_velocities = 3;
  static constexpr FigureInfo figure{"t", "r"};

  using Q = Vec<Expression, 3>;

  Expression lagrangian(const Q& q, const Q& v) const {
    const Expression slip = exp(-q[1]) * v[2];
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + slip * slip) - of(U, "U", q);  // [MATH 4]
  }
  Expression quasi_lagrangian(const Q& q, const Q& xi) const {
    const Expression slip = xi[2] - (of(a, "a", q) * xi[0] + of(b, "b", q) * xi[1]);
    return 0.5 * (xi[0] * xi[0] + xi[1] * xi[1] + slip * slip) - of(U, "U", q);
  }
  Mat<Expression, 2, 3> frame(const Q& q) const {
    const Expression e = exp(q[1]);
    return {{{1.0, 0.0, -(of(a, "a", q) * e)}, {0.0, 1.0, -(of(b, "b", q) * e)}}};  // [MATH 4]
  }
  std::array<BracketOf<Expression>, 2> brackets(const Q& q) const {
    const Expression b_r = gradient(of(b, "b", q), {&q[0], 1}).front();
    return {{{1, 2, 3, of(a, "a", q) - b_r}, {2, 3, 3, 1.0}}};  // [MATH 4]
  }

  static InitialValues default_initial() {
    return {{{"q", {0.2, 0.0, 0.0}}, {"xi", {0.1, 0.9}}}, true};
  }
  static constexpr double default_step = 0.1;
  static constexpr double horizon = 500.0;  ///< s; later s = O(e^g) overflows

 private:
  static Expression of(const std::string& text, const char* name, const Q& q) {
    try {
      return parse_expression(text, {{"r", q[0]}});
    } catch (const InputError& error) {
      throw InputError("system." + std::string(name) + ": " + error.what());
    }
  }
};

}  // namespace hamel
