// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/expressions/discrete_gradient.hpp"

#include <array>
#include <cstdlib>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {

using Node = ExpressionGraph::Node;

std::size_t at(int id) { return static_cast<std::size_t>(id); }

/// A value at both ends.
struct Ends {
  Expression from, to;
  bool moves = true;  ///< whether it depends on x

  Expression mean() const { return moves ? 0.5 * (from + to) : from; }
  Expression rise() const { return to - from; }
  Expression product() const { return from * to; }
};

Ends operator*(const Ends& a, const Ends& b) {
  return {a.from * b.from, a.to * b.to, a.moves || b.moves};
}
Ends operator-(const Ends& a, const Ends& b) {
  return {a.from - b.from, a.to - b.to, a.moves || b.moves};
}
template <class F>
Ends image(const F& f, const Ends& s) {
  return {f(s.from), f(s.to), s.moves};
}

// --- divided differences
// --------------------------------------------------------------------------

/// f(x)/x for an odd f that is accurate near 0, f(x) = x(1 + c1 x² + … + c4 x⁸ + …). The quotient
/// itself is accurate for every x ≠ 0; its derivatives are not, and the series, to round-off of
/// Quad for |x| < 2⁻¹², is for them and for x = 0.
template <class F>
Expression quotient(const F& f, const Expression& x, const std::array<Expression, 4>& c) {
  const Expression x2 = x * x;
  const Expression small = x2 < 0x1p-24;
  const Expression safe = select(small, Expression(1.0), x);
  const Expression series = 1.0 + x2 * (c[0] + x2 * (c[1] + x2 * (c[2] + x2 * c[3])));
  return select(small, series, f(safe) / safe);
}

Expression part(double numerator, double denominator) {
  return Expression(numerator) / Expression(denominator);
}
Expression sinc(const Expression& x) {
  return quotient([](const Expression& y) { return sin(y); }, x,
                  {part(-1, 6), part(1, 120), part(-1, 5040), part(1, 362880)});
}
Expression sinhc(const Expression& x) {
  return quotient([](const Expression& y) { return sinh(y); }, x,
                  {part(1, 6), part(1, 120), part(1, 5040), part(1, 362880)});
}
Expression atanc(const Expression& x) {
  return quotient([](const Expression& y) { return atan(y); }, x,
                  {part(-1, 3), part(1, 5), part(-1, 7), part(1, 9)});
}

/// (log s¹ − log s⁰)/(s¹ − s⁰). With r = (s¹ − s⁰)/(s¹ + s⁰) it is (artanh r)/r / s̄; for |r| above
/// the reach of the series log u/(u − 1)/s⁰, u = s¹/s⁰ as rounded, which loses no digits.
Expression log_slope(const Ends& s) {
  const Expression r = 0.5 * s.rise() / s.mean();
  const Expression r2 = r * r;
  const Expression small = r2 < 0x1p-24;
  const Expression series =
      1.0 + r2 * (part(1, 3) + r2 * (part(1, 5) + r2 * (part(1, 7) + r2 * part(1, 9))));
  const Expression u = select(small, Expression(2.0), s.to / s.from);
  return select(small, series / s.mean(), log(u) / ((u - 1.0) * s.from));
}

/// (exp s¹ − exp s⁰)/(s¹ − s⁰).
Expression exp_slope(const Expression& exp_mean, const Expression& rise) {
  return exp_mean * sinhc(0.5 * rise);
}

/// tan(½(θ¹ − θ⁰)) = Δ sin θ/Σ cos θ.
Expression asin_slope(const Ends& s) {
  const Ends cosine = image([](const Expression& x) { return sqrt((1.0 - x) * (1.0 + x)); }, s);
  const Expression sum = cosine.from + cosine.to;
  return 2.0 * atanc(s.rise() / sum) / sum;
}

/// atan s¹ − atan s⁰ = atan(Δs/(1 + s⁰s¹)) unless the ends are far apart.
Expression atan_slope(const Ends& s) {
  const Expression near = -0.5 < s.product();
  const Expression d = select(near, 1.0 + s.product(), Expression(1.0));
  const Expression rise = select(near, Expression(1.0), s.rise());
  return select(near, atanc(s.rise() / d) / d, (atan(s.to) - atan(s.from)) / rise);
}

/// Δ|s| = Δ(s²)/(|s⁰| + |s¹|); 0 between two zeros.
Expression abs_slope(const Ends& s) {
  const Expression sum = abs(s.from) + abs(s.to);
  const Expression some = 0.0 < sum;
  return select(some, (s.from + s.to) / select(some, sum, Expression(1.0)), Expression(0.0));
}

struct Power {
  Ends value;
  Expression slope;
};

/// sⁿ by products, n ≥ 1.
Power power(const Ends& s, int n) {
  if (n == 1) return {s, 1.0};
  const Power half = power(s, n / 2);
  const Power even{half.value * half.value, 2.0 * half.value.mean() * half.slope};
  if (n % 2 == 0) return even;
  return {even.value * s, s.mean() * even.slope + even.value.mean()};
}

/// s^p, p constant: by products of s or √s, else s^p = exp(p log s).
Expression power_slope(const Ends& s, Quad p) {
  const Quad longest = 1024;
  const int twice = abs(p) <= longest ? static_cast<int>(Quad(2) * p) : 0;
  if (twice == 0 || Quad(twice) != Quad(2) * p) {
    const Expression exponent = Expression::constant(p);
    const Expression slope = exponent * log_slope(s);
    return exp_slope(pow(s.product(), 0.5 * exponent), slope * s.rise()) * slope;
  }
  const bool whole = twice % 2 == 0;
  const Ends base = whole ? s : image([](const Expression& x) { return sqrt(x); }, s);
  Power y = power(base, whole ? std::abs(twice) / 2 : std::abs(twice));
  if (twice < 0) y.slope = -(y.slope / y.value.product());
  return whole ? y.slope : y.slope / (base.from + base.to);
}

// --- the operations
// -------------------------------------------------------------------------------

struct Slopes {
  Expression a, b, c;
};

Slopes product_slopes(const Ends& a, const Ends& b) {
  return {b.mean(), a.mean(), 0.0};  // [MATH 7.3]
}

Slopes quotient_slopes(const Ends& a, const Ends& b) {
  if (!b.moves) return {1.0 / b.from, 0.0, 0.0};
  return {b.mean() / b.product(), -(a.mean() / b.product()), 0.0};
}

Slopes pow_slopes(const Ends& a, const Ends& b) {
  if (!b.moves && b.from.is_constant()) return {power_slope(a, b.from.value()), 0.0, 0.0};
  const Ends log_a = image([](const Expression& x) { return log(x); }, a);
  const Ends u = b * log_a;  // a^b = exp(u)
  const Expression slope = exp_slope(exp(u.mean()), u.rise());
  return {a.moves ? slope * b.mean() * log_slope(a) : 0.0, slope * log_a.mean(), 0.0};
}

/// Of (a + b)/2 + sign |a − b|, sign = ±½: max and min.
Slopes extremum_slopes(const Ends& a, const Ends& b, double sign) {
  const Expression half = sign * abs_slope(a - b);
  return {0.5 + half, 0.5 - half, 0.0};
}

/// Of a condition that stays.
Slopes select_slopes(const Ends& condition) {
  const Expression holds = select(condition.from, Expression(1.0), Expression(0.0));
  return {0.0, holds, 1.0 - holds};
}

/// Δ(node) = a·Δa + b·Δb + c·Δc, for the operands' values at both ends.
Slopes slopes(Op op, const Ends& a, const Ends& b) {
  switch (op) {
    case Op::constant:
    case Op::input:
    case Op::parameter:
    case Op::held:
      break;
// clang-format off
#define HAMEL_OPERATOR(name, n, value, by_a, by_b, by_c, slopes) \
  case Op::name: return slopes;
#define HAMEL_FUNCTION(name, n, most, value, by_a, by_b, by_c, slopes) \
  case Op::name: return slopes;
#include "hamel/expressions/ops.def"
      // clang-format on
  }
  return {};
}

/// The nodes of f that depend on x.
std::vector<bool> moving_nodes(const Expression& f, std::span<const Expression> x) {
  const ExpressionGraph& graph = *f.graph();
  std::vector<bool> moves(at(f.node()) + 1, false);
  for (const Expression& variable : x)
    if (at(variable.node()) < moves.size()) moves[at(variable.node())] = true;
  for (int id = 0; id <= f.node(); ++id) {
    const Node& node = graph.node(id);
    for (const int operand : {node.a, node.b, node.c})
      if (operand >= 0 && moves[at(operand)]) moves[at(id)] = true;
  }
  std::vector<bool> used(moves.size(), false);
  used.back() = true;
  for (int id = f.node(); id >= 0; --id) {
    if (!used[at(id)]) moves[at(id)] = false;
    const Node& node = graph.node(id);
    for (const int operand : {node.a, node.b, node.c})
      if (operand >= 0 && moves[at(id)]) used[at(operand)] = true;
  }
  return moves;
}

/// Every operand of a moving node, at both ends; others are empty.
std::vector<Ends> both_ends(ExpressionGraph& graph, const std::vector<bool>& moves,
                            std::span<const Expression> x, std::span<const Expression> from,
                            std::span<const Expression> to) {
  std::vector<bool> wanted = moves;
  for (int id = 0; at(id) < moves.size(); ++id) {
    const Node& node = graph.node(id);
    for (const int operand : {node.a, node.b, node.c})
      if (operand >= 0 && moves[at(id)]) wanted[at(operand)] = true;
  }
  std::vector<std::size_t> ids;
  Expressions nodes;
  for (std::size_t id = 0; id < moves.size(); ++id) {
    if (!wanted[id]) continue;
    ids.push_back(id);
    nodes.push_back(graph.at(static_cast<int>(id)));
  }
  const Expressions here = substituted(nodes, x, from);
  const Expressions there = substituted(nodes, x, to);
  std::vector<Ends> ends(moves.size());
  for (std::size_t k = 0; k < ids.size(); ++k) ends[ids[k]] = {here[k], there[k], moves[ids[k]]};
  return ends;
}

}  // namespace

std::string without_discrete_gradient(const Expression& f, std::span<const Expression> x) {
  if (f.is_constant()) return "";
  const std::vector<bool> moves = moving_nodes(f, x);
  for (int id = f.node(); id >= 0; --id) {
    const Node& node = f.graph()->node(id);
    if (moves[at(id)] && node.op == Op::atan2) return "atan2";
    if (moves[at(id)] && node.op == Op::select && moves[at(node.a)]) return "select";
  }
  return "";
}

Expressions discrete_gradient(const Expression& f, std::span<const Expression> x,
                              std::span<const Expression> from, std::span<const Expression> to) {
  Expressions result(x.size());
  if (f.is_constant()) return result;
  if (const std::string name = without_discrete_gradient(f, x); !name.empty())
    throw InputError("'" + name + "' has no discrete gradient");
  ExpressionGraph& graph = *f.graph();
  const std::vector<bool> moves = moving_nodes(f, x);
  const std::vector<Ends> ends = both_ends(graph, moves, x, from, to);
  Expressions adjoint(moves.size());
  adjoint.back() = 1.0;
  for (int id = f.node(); id >= 0; --id) {
    const Expression weight = adjoint[at(id)];
    const Node node = graph.node(id);  // a copy: new nodes may move the list
    if (!moves[at(id)] || weight.is_constant(0) || operands(node.op) == 0) continue;
    const auto end_of = [&](int operand) { return operand < 0 ? Ends{} : ends[at(operand)]; };
    const Slopes d = slopes(node.op, end_of(node.a), end_of(node.b));
    const auto add = [&](int operand, const Expression& slope) {
      if (operand >= 0 && moves[at(operand)]) adjoint[at(operand)] += weight * slope;
    };
    add(node.a, d.a);
    add(node.b, d.b);
    add(node.c, d.c);
  }
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].node() >= 0 && x[i].node() <= f.node()) result[i] = adjoint[at(x[i].node())];
  return result;
}

}  // namespace hamel
