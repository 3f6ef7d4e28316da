// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/expressions/program.hpp"

#include <stdexcept>

#include "used_nodes.hpp"

namespace hamel {

using hamel_lanes::Code;
using Node = ExpressionGraph::Node;

namespace {

Code code_of(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
      break;
// clang-format off
#define HAMEL_OPERATOR(name, ...) \
  case Op::name: return Code::name;
#define HAMEL_FUNCTION(name, ...) \
  case Op::name: return Code::name;
#include "hamel/expressions/ops.def"
      // clang-format on
  }
  throw std::logic_error("a constant or variable is no instruction");
}

constexpr std::uint32_t none = 0xFFFFFFFF;

/// What becomes one instruction with another: a product with the sum that alone uses it, the sine
/// and the cosine of one argument.
class Pairs {
 public:
  Pairs(const UsedNodes& used, std::span<const Expression> outputs,
        const std::vector<std::uint32_t>& slot)
      : used_(used), seen_(used.size()) {
    for (const auto& e : outputs)
      if (!e.is_constant()) ++of(e.node()).uses;
    for (const int id : used.ids()) {
      const Node& node = used.graph()->node(id);
      for (const int operand : {node.a, node.b, node.c})
        if (operand >= 0) ++of(operand).uses;
      if (node.op == Op::sin) of(node.a).sine = id;
      if (node.op == Op::cos) of(node.a).cosine = id;
    }
    const auto lone_product = [&](int id) {
      return used.graph()->node(id).op == Op::mul && of(id).uses == 1 && slot[used[id]] == none;
    };
    for (const int id : used.ids()) {
      const Node& node = used.graph()->node(id);
      if (node.op != Op::add && node.op != Op::sub) continue;
      const int factors = lone_product(node.a) ? node.a : lone_product(node.b) ? node.b : -1;
      of(id).product = factors;
      if (factors >= 0) of(factors).within = true;
    }
  }

  /// Of a sum, −1: none.
  int product(int id) const { return seen_[used_[id]].product; }
  /// Whether a product is part of its sum.
  bool within(int id) const { return seen_[used_[id]].within; }
  /// The cosine for a sine, or the other way round; −1: none.
  int partner(const Node& node) const {
    if (node.op != Op::sin && node.op != Op::cos) return -1;
    const Seen& argument = seen_[used_[node.a]];
    return node.op == Op::sin ? argument.cosine : argument.sine;
  }

 private:
  struct Seen {
    int uses = 0;
    int sine = -1, cosine = -1;  // of it
    int product = -1;
    bool within = false;
  };
  Seen& of(int id) { return seen_[used_[id]]; }

  const UsedNodes& used_;
  std::vector<Seen> seen_;
};

}  // namespace

Program::Program(std::span<const Expression> inputs, std::span<const Expression> outputs)
    : inputs_(static_cast<int>(inputs.size())), slots_(static_cast<std::uint32_t>(inputs.size())) {
  const UsedNodes used(outputs);
  std::vector<std::uint32_t> slot(used.size(), none);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (used.place(inputs[i].node()) >= 0)
      slot[used[inputs[i].node()]] = static_cast<std::uint32_t>(i);
  const Pairs pairs(used, outputs, slot);
  const auto at = [&](int operand) { return operand < 0 ? 0U : slot[used[operand]]; };

  for (const int id : used.ids()) {
    if (slot[used[id]] != none || pairs.within(id)) continue;
    const Node& node = used.graph()->node(id);
    if (node.op == Op::input) throw std::logic_error("a program lacks one of its inputs");
    const std::uint32_t to = slots_++;
    slot[used[id]] = to;
    if (node.op == Op::constant) {
      constant_slots_.push_back(to);
      constants_.push_back(node.value);
    } else if (const int product = pairs.product(id); product >= 0) {
      const Node& factors = used.graph()->node(product);
      const bool first = product == node.a;
      const Code code = node.op == Op::add ? Code::mul_add : first ? Code::mul_sub : Code::sub_mul;
      code_.push_back({code, to, at(factors.a), at(factors.b), at(first ? node.b : node.a)});
    } else if (const int partner = pairs.partner(node); partner >= 0) {
      const std::uint32_t other = slots_++;
      slot[used[partner]] = other;
      const bool sine = node.op == Op::sin;
      code_.push_back({Code::sin_cos, sine ? to : other, at(node.a), 0, sine ? other : to});
    } else {
      code_.push_back({code_of(node.op), to, at(node.a), at(node.b), at(node.c)});
    }
  }
  for (const auto& e : outputs) {
    if (e.is_constant()) {
      constant_slots_.push_back(slots_);
      constants_.push_back(e.value());
      outputs_.push_back(slots_++);
    } else {
      outputs_.push_back(slot[used[e.node()]]);
    }
  }
}

hamel_lanes::ProgramView Program::view() const {
  return {code_.data(),
          outputs_.data(),
          constant_slots_.data(),
          instructions(),
          inputs_,
          outputs(),
          static_cast<int>(constants_.size()),
          static_cast<int>(slots_)};
}

template <class S>
Evaluator<S>::Evaluator(const Program& program)
    : slots_(static_cast<std::size_t>(program.view().slots)), program_(program) {
  const hamel_lanes::ProgramView view = program.view();
  for (int i = 0; i < view.constants; ++i)
    slots_[view.constant_slots[i]] =
        static_cast<S>(program.constants()[static_cast<std::size_t>(i)]);
}

template <class S>
void Evaluator<S>::operator()(const S* in, S* out) noexcept {
  evaluate(program_.view(), in, slots_.data(), out);
}

template class Evaluator<double>;
template class Evaluator<long double>;
#if LDBL_MANT_DIG != 113
template class Evaluator<Quad>;
#endif

}  // namespace hamel
