#include "hamel/expressions/derivatives.hpp"

#include <algorithm>

namespace hamel {

namespace {

using Node = ExpressionGraph::Node;

ExpressionGraph* graph_of(std::span<const Expression> list) {
  for (const auto& e : list)
    if (!e.is_constant()) return e.graph();
  return nullptr;
}

std::size_t at(int id) { return static_cast<std::size_t>(id); }

/// Marks every node that the expressions use.
std::vector<bool> used_nodes(ExpressionGraph& graph, std::span<const Expression> f) {
  std::vector<bool> used(at(graph.size()), false);
  for (const auto& e : f)
    if (!e.is_constant()) used[at(e.node())] = true;
  for (int id = graph.size() - 1; id >= 0; --id) {
    if (!used[at(id)]) continue;
    const Node& node = graph.node(id);
    for (const int operand : {node.a, node.b, node.c})
      if (operand >= 0) used[at(operand)] = true;
  }
  return used;
}

/// The partial derivatives of a node by its operands.
struct Partials {
  Expression a, b, c;
};

/// 1 where the condition holds (or does not), else 0.
Expression where(const Expression& condition, bool holds = true) {
  return apply(Op::select, condition, holds ? 1.0 : 0.0, holds ? 0.0 : 1.0);
}

Partials partials(ExpressionGraph& graph, int id) {
  const Node node = graph.node(id);
  const Expression self = graph.at(id);
  const Expression a = node.a >= 0 ? graph.at(node.a) : Expression();
  const Expression b = node.b >= 0 ? graph.at(node.b) : Expression();
  switch (node.op) {
    case Op::add: return {1.0, 1.0, 0.0};
    case Op::sub: return {1.0, -1.0, 0.0};
    case Op::mul: return {b, a, 0.0};
    case Op::div: return {1.0 / b, -(self / b), 0.0};
    case Op::neg: return {-1.0, 0.0, 0.0};
    case Op::pow:
      if (b.is_constant()) return {b * pow(a, b - 1.0), 0.0, 0.0};
      return {b * pow(a, b - 1.0), self * log(a), 0.0};
    case Op::sqrt: return {0.5 / self, 0.0, 0.0};
    case Op::exp: return {self, 0.0, 0.0};
    case Op::log: return {1.0 / a, 0.0, 0.0};
    case Op::sin: return {cos(a), 0.0, 0.0};
    case Op::cos: return {-sin(a), 0.0, 0.0};
    case Op::tan: return {1.0 + self * self, 0.0, 0.0};
    case Op::asin: return {1.0 / sqrt((1.0 - a) * (1.0 + a)), 0.0, 0.0};
    case Op::acos: return {-1.0 / sqrt((1.0 - a) * (1.0 + a)), 0.0, 0.0};
    case Op::atan: return {1.0 / (1.0 + a * a), 0.0, 0.0};
    case Op::atan2: {
      const Expression r2 = a * a + b * b;
      return {b / r2, -(a / r2), 0.0};
    }
    case Op::sinh: return {cosh(a), 0.0, 0.0};
    case Op::cosh: return {sinh(a), 0.0, 0.0};
    case Op::tanh: return {1.0 / (cosh(a) * cosh(a)), 0.0, 0.0};
    case Op::abs: return {apply(Op::select, a < 0.0, -1.0, 1.0), 0.0, 0.0};
    case Op::min: return {where(b < a, false), where(b < a), 0.0};
    case Op::max: return {where(a < b, false), where(a < b), 0.0};
    case Op::select: return {0.0, where(a), where(a, false)};
    case Op::less:
    case Op::constant:
    case Op::input: break;
  }
  return {};
}

}  // namespace

Expressions gradient(const Expression& f, std::span<const Expression> x) {
  Expressions result(x.size());
  if (f.is_constant()) return result;
  ExpressionGraph& graph = *f.graph();
  const int top = f.node();
  Expressions adjoint(at(top) + 1);
  adjoint[at(top)] = 1.0;
  for (int id = top; id >= 0; --id) {
    const Expression weight = adjoint[at(id)];
    const Node node = graph.node(id);  // a copy: new nodes may move the list
    if (weight.is_constant(0) || operands(node.op) == 0) continue;
    const Partials d = partials(graph, id);
    adjoint[at(node.a)] += weight * d.a;
    if (node.b >= 0) adjoint[at(node.b)] += weight * d.b;
    if (node.c >= 0) adjoint[at(node.c)] += weight * d.c;
  }
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].node() >= 0 && x[i].node() <= top) result[i] = adjoint[at(x[i].node())];
  return result;
}

Expressions directional(std::span<const Expression> f, std::span<const Expression> x,
                        std::span<const Expression> direction) {
  Expressions result(f.size());
  ExpressionGraph* graph = graph_of(f);
  if (graph == nullptr) return result;
  const std::vector<bool> used = used_nodes(*graph, f);
  Expressions tangent(used.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (at(x[i].node()) < tangent.size()) tangent[at(x[i].node())] = direction[i];
  for (int id = 0; at(id) < used.size(); ++id) {
    const Node node = graph->node(id);
    if (!used[at(id)] || operands(node.op) == 0) continue;
    const auto moves = [&](int operand) {
      return operand >= 0 && !tangent[at(operand)].is_constant(0);
    };
    if (!moves(node.a) && !moves(node.b) && !moves(node.c)) continue;
    const Partials d = partials(*graph, id);
    Expression sum;
    if (moves(node.a)) sum += d.a * tangent[at(node.a)];
    if (moves(node.b)) sum += d.b * tangent[at(node.b)];
    if (moves(node.c)) sum += d.c * tangent[at(node.c)];
    tangent[at(id)] = sum;
  }
  for (std::size_t k = 0; k < f.size(); ++k)
    if (!f[k].is_constant()) result[k] = tangent[at(f[k].node())];
  return result;
}

Expressions derivative(std::span<const Expression> f, const Expression& x) {
  const Expression one = 1.0;
  return directional(f, {&x, 1}, {&one, 1});
}

Expressions jacobian(std::span<const Expression> f, std::span<const Expression> x) {
  Expressions result(f.size() * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Expressions column = derivative(f, x[i]);
    for (std::size_t k = 0; k < f.size(); ++k) result[k * x.size() + i] = column[k];
  }
  return result;
}

Expressions substituted(std::span<const Expression> f, std::span<const Expression> from,
                        std::span<const Expression> to) {
  Expressions result(f.begin(), f.end());
  ExpressionGraph* graph = graph_of(f);
  if (graph == nullptr) return result;
  const std::vector<bool> used = used_nodes(*graph, f);
  Expressions image(used.size());
  for (int id = 0; at(id) < used.size(); ++id) {
    if (!used[at(id)]) continue;
    const Node node = graph->node(id);
    image[at(id)] = graph->at(id);
    if (node.op == Op::input) {
      for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i].node() == id) image[at(id)] = to[i];
    } else if (node.op != Op::constant) {
      const auto operand = [&](int o) { return o >= 0 ? image[at(o)] : Expression(); };
      image[at(id)] = apply(node.op, operand(node.a), operand(node.b), operand(node.c));
    }
  }
  for (auto& e : result)
    if (!e.is_constant()) e = image[at(e.node())];
  return result;
}

Expression substituted(const Expression& f, std::span<const Expression> from,
                       std::span<const Expression> to) {
  return substituted(std::span(&f, 1), from, to).front();
}

bool depends_on(const Expression& f, std::span<const Expression> x) {
  if (f.is_constant()) return false;
  const std::vector<bool> used = used_nodes(*f.graph(), {&f, 1});
  return std::ranges::any_of(
      x, [&](const Expression& e) { return at(e.node()) < used.size() && used[at(e.node())]; });
}

}  // namespace hamel
