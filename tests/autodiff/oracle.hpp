// SPDX-License-Identifier: BSD-3-Clause
// The oracle of the jet tests: finite differences in 113-bit arithmetic, which share no formula
// with the jets, and one list of functions and points for both jet types.
//
//   D f = (8(f(h) − f(−h)) − (f(2h) − f(−2h)))/(12h) = f′ + O(h⁴),   ∂_i∂_j f ≈ D_i D_j f.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamel/core/quad.hpp"
#include "hamel/core/vec.hpp"

// Inside hamel, because outside of it sin(x) of a long double or Quad is the sin(double) of C.
namespace hamel::oracle {

using Point = Vec<Quad, 2>;

// Truncation against rounding, for the functions of the list below, whose fifth derivatives stay
// under 10⁷·scale, the sixth under 10⁸·scale. First derivatives: h⁴·f⁽⁵⁾/30 ≤ 3·10⁻²⁵·scale at
// h = 2⁻²⁵, rounding 2⁻¹¹²·f/h is less. Second derivatives: rounding 2⁻¹¹²·f/h² ≈ 2·10⁻²⁰·scale at
// h = 2⁻²³, truncation h⁴·f⁽⁶⁾/15 is less.
inline constexpr double first_step = 0x1p-25, first_error = 1e-24;
inline constexpr double second_step = 0x1p-23, second_error = 1e-19;

using Function = std::function<Quad(const Point&)>;  // erased, to compile the oracle once

inline Quad difference(const Function& f, const Point& x, int i, double h) {
  const auto at = [&](double shift) {
    Point y = x;
    y[i] += Quad(shift);
    return f(y);
  };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * Quad(h));
}

/// Value, gradient and Hessian, and the size of value and gradient.
struct Expected {
  Quad value, gradient[2], hessian[2][2], scale;
};

inline Expected derivatives(const Function& f, const Point& x) {
  Expected e;
  e.value = f(x);
  e.scale = 1 + abs(e.value);
  for (int i = 0; i < 2; ++i) {
    e.gradient[i] = difference(f, x, i, first_step);
    e.scale += abs(e.gradient[i]);
    const auto slope = [&](const Point& y) { return difference(f, y, i, second_step); };
    for (int j = 0; j < 2; ++j) e.hessian[i][j] = difference(slope, x, j, second_step);
  }
  return e;
}

/// Points (x, y) with few binary digits, hence the same in every precision.
struct Sample {
  double x, y;
};
using Samples = std::vector<Sample>;

inline const Samples anywhere = {
    {0.75, 0.5}, {-1.25, 0.25}, {0.0, 0.5}, {-0.5, -0.75}, {2.5, 0.25}};
inline const Samples positive = {{0.75, 0.5}, {0.0625, 0.25}, {3.0, -0.5}, {17.0, 1.0}};
inline const Samples within_one = {{0.5, 0.5}, {-0.75, 0.125}, {0.0, 0.5}, {0.5, 0.875}};

/// The constant c as a jet function takes it, bare; a plain function of two reals wants its own
/// type.
template <class S, class C>
auto bare(const Vec<S, 2>&, C c) {
  if constexpr (ScalarTraits<S>::derivatives > 0) {
    return c;
  } else {
    return S(c);
  }
}

inline std::string describe(const char* name, const Sample& at) {
  return name + (" at (" + std::to_string(at.x)) + ", " + std::to_string(at.y) + ")";
}

/// Calls visit(name, sample, f) for every operation of the jets, f a generic function of a
/// Vec<S, 2>. The argument u = x(1 + y) of the functions of one variable has a mixed derivative, so
/// that every term of the chain rule is seen.
template <class Visit>
void for_each_function(Visit visit_one) {
  const auto visit = [&](const char* name, const Samples& samples, const auto& f) {
    for (const Sample& at : samples) visit_one(name, at, f);
  };
  const auto u = [](const auto& q) { return q[0] * (1 + q[1]); };
  visit("sqrt", positive, [u](const auto& q) { return sqrt(u(q)); });
  visit("exp", anywhere, [u](const auto& q) { return exp(u(q)); });
  visit("log", positive, [u](const auto& q) { return log(u(q)); });
  visit("sin", anywhere, [u](const auto& q) { return sin(u(q)); });
  visit("cos", anywhere, [u](const auto& q) { return cos(u(q)); });
  visit("tan", within_one, [u](const auto& q) { return tan(u(q)); });
  visit("asin", within_one, [u](const auto& q) { return asin(u(q)); });
  visit("acos", within_one, [u](const auto& q) { return acos(u(q)); });
  visit("atan", anywhere, [u](const auto& q) { return atan(u(q)); });
  visit("sinh", anywhere, [u](const auto& q) { return sinh(u(q)); });
  visit("cosh", anywhere, [u](const auto& q) { return cosh(u(q)); });
  visit("tanh", anywhere, [u](const auto& q) { return tanh(u(q)); });
  const Samples quadrants = {{0.75, 0.5}, {-1.25, 0.25}, {-0.5, -0.75}, {2.5, -0.25},
                             {1.5, 0.0},  {0.0, 1.5},    {0.0, -1.5}};  // not the cut x < 0, y = 0
  visit("atan2", quadrants, [](const auto& q) { return atan2(q[1], q[0]); });
  visit("atan2(y, c)", quadrants, [](const auto& q) { return atan2(q[1] * q[0], bare(q, 2)); });
  visit("atan2(c, x)", quadrants, [](const auto& q) { return atan2(bare(q, 0.5), q[0] * q[1]); });
  visit("hypot", quadrants, [](const auto& q) { return hypot(q[0], q[1]); });
  visit("hypot(x, c)", quadrants, [](const auto& q) { return hypot(q[0] * q[1], bare(q, 0.5)); });
  visit("hypot(c, x)", quadrants, [](const auto& q) { return hypot(bare(q, -3), q[0] * q[1]); });
  visit("abs", positive, [u](const auto& q) { return abs(u(q)); });
  visit("abs of negative", positive, [u](const auto& q) { return abs(-u(q)); });
  visit("min", anywhere, [](const auto& q) { return min(q[0] * q[0], q[1]); });
  visit("max", anywhere, [](const auto& q) { return max(q[0] * q[0], q[1]); });
  visit("x^y", positive, [](const auto& q) { return pow(q[0], q[1]); });
  visit("x^3", anywhere, [u](const auto& q) { return pow(u(q), 3); });
  visit("x^2", anywhere, [u](const auto& q) { return pow(u(q), 2); });
  visit("x^1", anywhere, [u](const auto& q) { return pow(u(q), 1); });
  visit("x^0", anywhere, [u](const auto& q) { return pow(u(q), 0); });
  visit("x^4.0", anywhere, [u](const auto& q) { return pow(u(q), bare(q, 4.0)); });
  visit("x^-2", Samples{{0.75, 0.5}, {-1.25, 0.25}}, [u](const auto& q) { return pow(u(q), -2); });
  visit("x^2.5", positive, [u](const auto& q) { return pow(u(q), bare(q, 2.5)); });
  visit("x^-0.5", positive, [u](const auto& q) { return pow(u(q), bare(q, -0.5)); });
  visit("2.5^x", anywhere, [u](const auto& q) { return pow(bare(q, 2.5), u(q)); });
  visit("3^x", anywhere, [u](const auto& q) { return pow(bare(q, 3), u(q)); });
  visit("product", anywhere, [](const auto& q) { return (q[0] + q[1]) * (q[0] * q[1] - 2); });
  visit("quotient", anywhere, [](const auto& q) { return (q[0] + 2.0) / (3 + q[0] * q[1]); });
  visit("c / x", positive, [u](const auto& q) { return 2 / u(q); });
  visit("x / c", anywhere, [u](const auto& q) { return u(q) / 3 - u(q) / 0.75; });
  visit("sums", anywhere, [](const auto& q) { return 1 - q[0] * 2 - (0.5 + -q[1]) + +q[0]; });
  visit("compound", anywhere, [](const auto& q) {
    auto s = q[0];
    s += q[1];
    s *= q[0];
    s -= 3;
    s /= q[0] + 4;
    s += 1.5;
    s *= 2;
    s -= q[1];
    s /= 8.0;
    return s;
  });
}

}  // namespace hamel::oracle
