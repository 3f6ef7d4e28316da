// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/expressions/domain.hpp"

#include <algorithm>

#include "used_nodes.hpp"

namespace hamel {

namespace {

constexpr int most_degree = 4;              // (1e50)⁴ with coefficients up to 1e108 is finite
constexpr int no_degree = most_degree + 1;  // nor bounded by a polynomial

int degree(const ExpressionGraph::Node& node, const ExpressionGraph& graph, int a, int b, int c) {
  if (node.fixed) return 0;
  switch (node.op) {
    case Op::constant:
    case Op::parameter:
    case Op::less: return 0;
    case Op::held:
    case Op::input: return 1;
    case Op::add:
    case Op::sub:
    case Op::min:
    case Op::max: return std::max(a, b);
    case Op::select: return std::max(b, c);
    case Op::mul: return std::min(a + b, no_degree);
    case Op::div: return graph.node(node.b).fixed ? a : no_degree;
    case Op::neg:
    case Op::abs: return a;
    case Op::sin:
    case Op::cos:
    case Op::atan:
    case Op::atan2:
    case Op::tanh: return a <= most_degree ? 0 : no_degree;
    default: return no_degree;
  }
}

}  // namespace

bool may_be_undefined(std::span<const Expression> f) {
  const UsedNodes used(f);
  std::vector<int> degrees(used.size());
  const auto of = [&](int id) { return id >= 0 ? degrees[used[id]] : 0; };
  for (const int id : used.ids()) {
    const auto& node = used.graph()->node(id);
    int& own = degrees[used[id]];
    own = degree(node, *used.graph(), of(node.a), of(node.b), of(node.c));
    // What is chosen from, or lost in a comparison, must have a value as well.
    for (const int operand : {node.a, node.b, node.c})
      own = of(operand) < no_degree ? own : no_degree;
    if (own == no_degree) return true;
  }
  return std::ranges::any_of(
      f, [](const Expression& e) { return e.is_fixed() && e.nominal() - e.nominal() != Quad(0); });
}

bool may_have_kinks(std::span<const Expression> f) {
  const UsedNodes used(f);
  return std::ranges::any_of(used.ids(), [&](int id) {
    switch (used.graph()->node(id).op) {
      case Op::abs:
      case Op::min:
      case Op::max:
      case Op::less:
      case Op::select: return true;
      default: return false;
    }
  });
}

}  // namespace hamel
