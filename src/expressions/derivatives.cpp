// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/expressions/derivatives.hpp"

#include <algorithm>
#include <optional>

#include "used_nodes.hpp"

namespace hamel {

namespace {

using Node = ExpressionGraph::Node;

/// The partial derivatives of a node by its operands.
struct Partials {
  Expression a, b, c;
};

/// 1 where the condition holds (or does not), else 0.
Expression where(const Expression& condition, bool holds = true) {
  return apply(Op::select, condition, holds ? 1.0 : 0.0, holds ? 0.0 : 1.0);
}

/// By the exponent of self = a^b.
Expression pow_by_exponent(const Expression& self, const Expression& a, const Expression& b) {
  return b.is_constant() ? Expression(0.0) : self * log(a);
}

Partials partials(ExpressionGraph& graph, int id) {
  const Node node = graph.node(id);
  const Expression self = graph.at(id);
  const Expression a = node.a >= 0 ? graph.at(node.a) : Expression();
  const Expression b = node.b >= 0 ? graph.at(node.b) : Expression();
  switch (node.op) {
    case Op::constant:
    case Op::input:
    case Op::parameter:
    case Op::held:
      break;
// clang-format off
#define HAMEL_OPERATOR(name, n, value, by_a, by_b, by_c, ...) \
  case Op::name: return {by_a, by_b, by_c};
#define HAMEL_FUNCTION(name, n, most, value, by_a, by_b, by_c, ...) \
  case Op::name: return {by_a, by_b, by_c};
#include "hamel/expressions/ops.def"
      // clang-format on
  }
  return {};
}

/// Derivatives of many expressions along one direction after the other.
class Forward {
 public:
  explicit Forward(std::span<const Expression> f) : f_(f), used_(f), partials_(used_.size()) {}

  Expressions operator()(std::span<const Expression> x, std::span<const Expression> direction) {
    Expressions result(f_.size());
    Expressions tangent(used_.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      if (used_.place(x[i].node()) >= 0) tangent[used_[x[i].node()]] = direction[i];
    for (std::size_t k = 0; k < used_.size(); ++k) {
      const Node node = used_.graph()->node(used_.ids()[k]);  // a copy: new nodes may move the list
      if (operands(node.op) == 0) continue;
      const auto moves = [&](int operand) {
        return operand >= 0 && !tangent[used_[operand]].is_constant(0);
      };
      if (!moves(node.a) && !moves(node.b) && !moves(node.c)) continue;
      std::optional<Partials>& known = partials_[k];
      const Partials& d = known ? *known : known.emplace(partials(*used_.graph(), used_.ids()[k]));
      Expression sum;
      if (moves(node.a)) sum += d.a * tangent[used_[node.a]];
      if (moves(node.b)) sum += d.b * tangent[used_[node.b]];
      if (moves(node.c)) sum += d.c * tangent[used_[node.c]];
      tangent[k] = sum;
    }
    for (std::size_t k = 0; k < f_.size(); ++k)
      if (!f_[k].is_constant()) result[k] = tangent[used_[f_[k].node()]];
    return result;
  }

 private:
  std::span<const Expression> f_;
  UsedNodes used_;
  std::vector<std::optional<Partials>> partials_;
};

}  // namespace

Expressions gradient(const Expression& f, std::span<const Expression> x) {
  Expressions result(x.size());
  if (f.is_constant()) return result;
  ExpressionGraph& graph = *f.graph();
  const UsedNodes used({&f, 1});
  Expressions adjoint(used.size());
  adjoint.back() = 1.0;
  for (std::size_t k = used.size(); k-- > 0;) {
    const Expression weight = adjoint[k];
    const Node node = graph.node(used.ids()[k]);  // a copy: new nodes may move the list
    if (weight.is_constant(0) || operands(node.op) == 0) continue;
    const Partials d = partials(graph, used.ids()[k]);
    adjoint[used[node.a]] += weight * d.a;
    if (node.b >= 0) adjoint[used[node.b]] += weight * d.b;
    if (node.c >= 0) adjoint[used[node.c]] += weight * d.c;
  }
  for (std::size_t i = 0; i < x.size(); ++i)
    if (used.place(x[i].node()) >= 0) result[i] = adjoint[used[x[i].node()]];
  return result;
}

Expressions directional(std::span<const Expression> f, std::span<const Expression> x,
                        std::span<const Expression> direction) {
  return Forward(f)(x, direction);
}

Expressions derivative(std::span<const Expression> f, const Expression& x) {
  const Expression one = 1.0;
  return directional(f, {&x, 1}, {&one, 1});
}

Expressions jacobian(std::span<const Expression> f, std::span<const Expression> x) {
  Expressions result(f.size() * x.size());
  Forward forward(f);
  const Expression one = 1.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Expressions column = forward({&x[i], 1}, {&one, 1});
    for (std::size_t k = 0; k < f.size(); ++k) result[k * x.size() + i] = column[k];
  }
  return result;
}

Expressions substituted(std::span<const Expression> f, std::span<const Expression> from,
                        std::span<const Expression> to) {
  Expressions result(f.begin(), f.end());
  const UsedNodes used(f);
  Expressions image(used.size());
  std::vector<bool> other(used.size(), false);
  for (std::size_t k = 0; k < used.size(); ++k) {
    const int id = used.ids()[k];
    const Node node = used.graph()->node(id);
    const auto changed = [&](int o) { return o >= 0 && other[used[o]]; };
    if (node.op == Op::input || node.op == Op::parameter || node.op == Op::held) {
      for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i].node() == id) {
          image[k] = to[i];
          other[k] = true;
        }
    } else if (changed(node.a) || changed(node.b) || changed(node.c)) {
      const auto operand = [&](int o) { return o >= 0 ? image[used[o]] : Expression(); };
      image[k] = apply(node.op, operand(node.a), operand(node.b), operand(node.c));
      other[k] = true;
    }
    if (!other[k]) image[k] = used.graph()->at(id);
  }
  for (auto& e : result)
    if (!e.is_constant()) e = image[used[e.node()]];
  return result;
}

Expression substituted(const Expression& f, std::span<const Expression> from,
                       std::span<const Expression> to) {
  return substituted(std::span(&f, 1), from, to).front();
}

bool depends_on(const Expression& f, std::span<const Expression> x) {
  if (f.is_constant()) return false;
  const UsedNodes used({&f, 1});
  return std::ranges::any_of(x, [&](const Expression& e) { return used.place(e.node()) >= 0; });
}

}  // namespace hamel
