// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/expressions/expression.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace hamel {

int operands(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
    case Op::parameter:
    case Op::held:
      return 0;
// clang-format off
#define HAMEL_OPERATOR(name, n, ...) \
  case Op::name: return n;
#define HAMEL_FUNCTION(name, n, ...) \
  case Op::name: return n;
#include "hamel/expressions/ops.def"
      // clang-format on
  }
  return 0;
}

namespace {

Quad folded(Op op, Quad a, Quad b, Quad c) {
  using S = Quad;
  switch (op) {
    case Op::constant:
    case Op::input:
    case Op::parameter:
    case Op::held:
      break;
// clang-format off
#define HAMEL_OPERATOR(name, n, value, ...) \
  case Op::name: return value;
#define HAMEL_FUNCTION(name, n, most, value, ...) \
  case Op::name: return value;
#include "hamel/expressions/ops.def"
      // clang-format on
  }
  return a;
}

bool is_op(const Expression& e, Op op) {
  return !e.is_constant() && e.graph()->node(e.node()).op == op;
}
Expression operand(const Expression& e, int which) {
  const auto& node = e.graph()->node(e.node());
  const int ids[] = {node.a, node.b, node.c};
  return e.graph()->at(ids[which]);
}
/// Whether its first factor, and not all of it, is fixed.
bool scaled(const Expression& e) {
  if (e.is_fixed()) return false;
  const auto& node = e.graph()->node(e.node());
  return node.op == Op::mul && e.graph()->node(node.a).fixed;
}
bool same(const Expression& a, const Expression& b) {
  if (a.is_constant() || b.is_constant())
    return a.is_constant() && b.is_constant() && a.value() == b.value();
  return a.node() == b.node();
}

/// select(c, x, 0) or select(c, 0, x), x not of this kind again: factors may move to x, so that an
/// infinite one does not turn the zero of the branch not taken into NaN.
bool is_masked(const Expression& e) {
  if (!is_op(e, Op::select)) return false;
  const Expression x = operand(e, 1);
  const Expression y = operand(e, 2);
  return (y.is_constant(0) && !is_op(x, Op::select)) || (x.is_constant(0) && !is_op(y, Op::select));
}

/// x^n by products; n ≥ 1.
Expression power(const Expression& x, int n) {
  if (n == 1) return x;
  const Expression half = power(x, n / 2);
  return n % 2 == 0 ? half * half : half * half * x;
}

constexpr int longest_product = 16;

/// The simpler form of an operation with at least one operand that is no constant; false: none.
bool simplified(Op op, const Expression& a, const Expression& b, const Expression& c,
                Expression& out) {
  const auto is = [&](const Expression& e) {
    out = e;
    return true;
  };
  switch (op) {
    case Op::add:
      if (a.is_constant(0)) return is(b);
      if (b.is_constant(0)) return is(a);
      if (is_op(b, Op::neg)) return is(a - operand(b, 0));
      if (is_op(a, Op::neg)) return is(b - operand(a, 0));
      return false;
    case Op::sub:
      if (b.is_constant(0)) return is(a);
      if (a.is_constant(0)) return is(-b);
      if (same(a, b)) return is(0.0);
      if (is_op(b, Op::neg)) return is(a + operand(b, 0));
      if (is_op(a, Op::neg)) return is(-(operand(a, 0) + b));
      return false;
    case Op::mul:
      if (a.is_constant(0) || b.is_constant(0)) return is(0.0);
      if (a.is_constant(1)) return is(b);
      if (b.is_constant(1)) return is(a);
      if (a.is_constant(-1)) return is(-b);
      if (b.is_constant(-1)) return is(-a);
      if (is_op(a, Op::neg) && !a.is_fixed()) return is(-(operand(a, 0) * b));
      if (is_op(b, Op::neg) && !b.is_fixed()) return is(-(a * operand(b, 0)));
      if (is_masked(a)) return is(select(operand(a, 0), operand(a, 1) * b, operand(a, 2) * b));
      if (is_masked(b)) return is(b * a);
      if (a.is_fixed() && b.is_fixed()) return false;
      // what is fixed gathers on the left: c1 (c2 x) = (c1 c2) x, x (c y) = c (x y)
      if (b.is_fixed()) return is(b * a);
      if (a.is_fixed() && scaled(b)) return is((a * operand(b, 0)) * operand(b, 1));
      if (!a.is_fixed() && scaled(b)) return is(operand(b, 0) * (a * operand(b, 1)));
      if (scaled(a)) return is(operand(a, 0) * (operand(a, 1) * b));
      return false;
    case Op::div:
      if (a.is_constant(0)) return is(0.0);
      if (b.is_constant(1)) return is(a);
      if (b.is_constant(-1)) return is(-a);
      if (same(a, b)) return is(1.0);
      if (is_op(a, Op::neg) && !a.is_fixed()) return is(-(operand(a, 0) / b));
      if (is_op(b, Op::neg) && !b.is_fixed()) return is(-(a / operand(b, 0)));
      // A power of two divides exactly by multiplication; others would round differently.
      return false;
    case Op::neg:
      if (is_op(a, Op::neg)) return is(operand(a, 0));
      if (is_op(a, Op::sub)) return is(operand(a, 1) - operand(a, 0));
      if (scaled(a)) return is((-operand(a, 0)) * operand(a, 1));  // (−c) x stays so
      return false;
    case Op::pow: {
      if (!b.is_constant()) {
        if (!b.is_fixed() || a.is_fixed()) return false;
        return is(pow(a, Expression::constant(b.graph()->pin(b))));
      }
      if (b.is_constant(0)) return is(1.0);
      if (b.is_constant(0.5)) return is(sqrt(a));
      if (b.is_constant(-0.5)) return is(1.0 / sqrt(a));
      const int n = abs(b.value()) <= Quad(longest_product) ? static_cast<int>(b.value()) : 0;
      if (n == 0 || Quad(n) != b.value()) return false;
      return is(n > 0 ? power(a, n) : 1.0 / power(a, -n));
    }
    case Op::abs: return is_op(a, Op::abs) || is_op(a, Op::exp) ? is(a) : false;
    case Op::cos: return is_op(a, Op::neg) ? is(cos(operand(a, 0))) : false;
    case Op::sin: return is_op(a, Op::neg) ? is(-sin(operand(a, 0))) : false;
    case Op::min:
    case Op::max: return same(a, b) ? is(a) : false;
    case Op::less: return same(a, b) ? is(0.0) : false;
    case Op::select:
      if (same(b, c)) return is(b);
      if (a.is_constant()) return is(a.is_constant(0) ? c : b);
      return a.is_fixed() ? is(a.graph()->pin(a) == Quad(0) ? c : b) : false;
    default: return false;
  }
}

bool commutes(Op op) { return op == Op::add || op == Op::mul || op == Op::min || op == Op::max; }

}  // namespace

template <class Same>
int ExpressionGraph::Index::find_or_add(std::uint32_t hash, int fresh, const Same& same) {
  const auto free_slot = [this](std::uint32_t from) {
    std::size_t i = from & (slots_.size() - 1);
    while (slots_[i].id >= 0) i = (i + 1) & (slots_.size() - 1);
    return i;
  };
  if (2 * (count_ + 1) > slots_.size()) {  // at most half full
    const std::size_t size = slots_.empty() ? 32 : 2 * slots_.size();
    const auto before = std::exchange(slots_, std::vector<Slot>(size));
    for (const Slot& slot : before)
      if (slot.id >= 0) slots_[free_slot(slot.hash)] = slot;
  }
  std::size_t i = hash & (slots_.size() - 1);
  for (; slots_[i].id >= 0; i = (i + 1) & (slots_.size() - 1))
    if (slots_[i].hash == hash && same(slots_[i].id)) return slots_[i].id;
  slots_[i] = {hash, fresh};
  ++count_;
  return fresh;
}

namespace {

std::uint32_t hash_of(std::initializer_list<std::uint64_t> words) {
  std::uint64_t h = 0;
  for (const std::uint64_t word : words) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 29U;
  }
  return static_cast<std::uint32_t>(h ^ (h >> 32U));
}

}  // namespace

ExpressionGraph::ExpressionGraph(const ExpressionGraph& other)
    : nodes_(other.nodes_),
      known_(other.known_),
      constants_(other.constants_),
      parameters_(other.parameters_),
      held_(other.held_),
      pinned_(other.pinned_) {}

void ExpressionGraph::refuse_when_frozen() const {
  if (frozen_) throw std::logic_error("a frozen graph takes no more nodes");
}

Expression ExpressionGraph::at(int id) {
  const Node& n = node(id);
  if (n.op == Op::constant) return Expression::constant(n.value);
  Expression e;
  e.graph_ = this;
  e.node_ = id;
  return e;
}

Expression ExpressionGraph::input() {
  refuse_when_frozen();
  nodes_.push_back({Op::input, false, -1, -1, -1, 0});
  return at(size() - 1);
}

Expression ExpressionGraph::parameter(Quad nominal) {
  refuse_when_frozen();
  parameters_.push_back(size());
  pinned_.push_back(false);
  nodes_.push_back({Op::parameter, true, -1, -1, -1, nominal});
  return at(size() - 1);
}

Expression ExpressionGraph::held() {
  refuse_when_frozen();
  held_.push_back(size());
  nodes_.push_back({Op::held, false, -1, -1, -1, 0});
  return at(size() - 1);
}

int ExpressionGraph::held_index(int id) const {
  return static_cast<int>(std::ranges::find(held_, id) - held_.begin());
}

Expression ExpressionGraph::parameter_at(int i) {
  return at(parameters_[static_cast<std::size_t>(i)]);
}

Quad ExpressionGraph::pin(const Expression& e) {
  if (e.is_constant()) return e.value();
  std::vector<bool> used(static_cast<std::size_t>(e.node()) + 1, false);
  used.back() = true;
  for (int id = e.node(); id >= 0; --id) {
    if (!used[static_cast<std::size_t>(id)]) continue;
    const Node& n = node(id);
    for (const int operand : {n.a, n.b, n.c})
      if (operand >= 0) used[static_cast<std::size_t>(operand)] = true;
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto id = static_cast<std::size_t>(parameters_[i]);
    if (id < used.size() && used[id]) pinned_[i] = true;
  }
  return e.nominal();
}

int ExpressionGraph::intern(const Expression& e) {
  if (!e.is_constant()) return e.node();
  const Quad value = e.value();
  static_assert(sizeof value == 16);
  std::uint64_t bits[2];  // of the value: −0 is another constant than 0
  std::memcpy(bits, &value, sizeof bits);
  const int id = constants_.find_or_add(hash_of({bits[0], bits[1]}), size(), [&](int other) {
    return std::memcmp(&node(other).value, bits, sizeof bits) == 0;
  });
  if (id == size()) nodes_.push_back({Op::constant, true, -1, -1, -1, value});
  return id;
}

Expression ExpressionGraph::add_node(Op op, int a, int b, int c) {
  const auto word = [](int x) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)); };
  const std::uint32_t hash =
      hash_of({static_cast<std::uint64_t>(op) | word(a) << 32U, word(b) | word(c) << 32U});
  const int id = known_.find_or_add(hash, size(), [&](int other) {
    const Node& n = node(other);
    return n.op == op && n.a == a && n.b == b && n.c == c;
  });
  if (id < size()) return at(id);
  const auto fixed = [this](int operand) { return operand < 0 || node(operand).fixed; };
  const auto value = [this](int operand) { return operand < 0 ? Quad(0) : node(operand).value; };
  Node made{op, fixed(a) && fixed(b) && fixed(c), a, b, c, 0};
  if (made.fixed) made.value = folded(op, value(a), value(b), value(c));
  nodes_.push_back(made);
  return at(id);
}

Expression ExpressionGraph::apply(Op op, const Expression& a, const Expression& b,
                                  const Expression& c) {
  refuse_when_frozen();
  Expression simpler;
  if (simplified(op, a, b, c, simpler)) return simpler;
  const int count = operands(op);
  int ia = intern(a);
  int ib = count > 1 ? intern(b) : -1;
  const int ic = count > 2 ? intern(c) : -1;
  const auto rank = [](const Expression& e) { return e.is_constant() ? 0 : e.is_fixed() ? 1 : 2; };
  if (commutes(op) && (rank(b) < rank(a) || (rank(a) == rank(b) && !a.is_constant() && ib < ia)))
    std::swap(ia, ib);
  return add_node(op, ia, ib, ic);
}

Expression apply(Op op, const Expression& a, const Expression& b, const Expression& c) {
  ExpressionGraph* graph = nullptr;
  for (const Expression* e : {&a, &b, &c}) {
    if (e->is_constant()) continue;
    if (graph != nullptr && e->graph() != graph)
      throw std::logic_error("expressions of two graphs in one operation");
    graph = e->graph();
  }
  return graph != nullptr ? graph->apply(op, a, b, c)
                          : Expression::constant(folded(op, a.value(), b.value(), c.value()));
}

}  // namespace hamel
