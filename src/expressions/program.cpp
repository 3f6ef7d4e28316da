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
    case Op::parameter:
    case Op::held:
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
  /// computed: whether a node is an instruction, and not a constant.
  template <class Computed>
  Pairs(const UsedNodes& used, std::span<const Expression> outputs,
        const std::vector<std::uint32_t>& slot, const Computed& computed)
      : used_(used), seen_(used.size()) {
    for (const auto& e : outputs)
      if (!e.is_constant()) ++of(e.node()).uses;
    for (const int id : used.ids()) {
      const Node& node = used.graph()->node(id);
      if (!computed(node)) continue;
      for (const int operand : {node.a, node.b, node.c})
        if (operand >= 0) ++of(operand).uses;
      if (node.op == Op::sin) of(node.a).sine = id;
      if (node.op == Op::cos) of(node.a).cosine = id;
    }
    const auto lone_product = [&](int id) {
      const Node& node = used.graph()->node(id);
      return node.op == Op::mul && computed(node) && of(id).uses == 1 && slot[used[id]] == none;
    };
    for (const int id : used.ids()) {
      const Node& node = used.graph()->node(id);
      if ((node.op != Op::add && node.op != Op::sub) || !computed(node)) continue;
      const int factors = lone_product(node.a) ? node.a : lone_product(node.b) ? node.b : -1;
      of(id).product = factors;
      if (factors >= 0) of(factors).within = true;
    }
  }

  /// Whether anything but other constants needs it.
  bool wanted(int id) const { return seen_[used_[id]].uses > 0; }
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
    : Program(inputs, outputs, Parameters::folded) {}

Program::Program(std::span<const Expression> inputs, std::span<const Expression> outputs,
                 Parameters how)
    : inputs_(static_cast<int>(inputs.size())), slots_(static_cast<std::uint32_t>(inputs.size())) {
  const UsedNodes used(outputs);
  std::vector<std::uint32_t> slot(used.size(), none);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (used.place(inputs[i].node()) >= 0)
      slot[used[inputs[i].node()]] = static_cast<std::uint32_t>(i);
  const auto computed = [how](const Node& node) {
    if (node.op == Op::held) return false;
    return how == Parameters::folded ? !node.fixed : node.op != Op::constant;
  };
  const Pairs pairs(used, outputs, slot, computed);
  const auto at = [&](int operand) { return operand < 0 ? 0U : slot[used[operand]]; };
  std::vector<Expression> bound;
  const auto take_constant = [&](const Expression& e) {
    if (!e.is_constant()) {
      bound_.push_back(constants_.size());
      bound.push_back(e);
    }
    constant_slots_.push_back(slots_);
    constants_.push_back(e.nominal());
    return slots_++;
  };

  for (const int id : used.ids()) {
    if (slot[used[id]] != none || pairs.within(id)) continue;
    const Node& node = used.graph()->node(id);
    if (!computed(node)) {
      if (!pairs.wanted(id)) continue;
      if (node.op == Op::held) held_.push_back({used.graph()->held_index(id), slots_});
      slot[used[id]] = node.op == Op::held ? slots_++ : take_constant(used.graph()->at(id));
      continue;
    }
    if (node.op == Op::input || node.op == Op::parameter)
      throw std::logic_error("a program lacks one of its inputs");
    const std::uint32_t to = slots_++;
    slot[used[id]] = to;
    if (const int product = pairs.product(id); product >= 0) {
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
  for (const auto& e : outputs)
    outputs_.push_back(e.is_constant() ? take_constant(e) : slot[used[e.node()]]);
  if (bound.empty()) return;
  ExpressionGraph& graph = *used.graph();
  std::vector<Expression> parameters;
  for (int i = 0; i < graph.parameters(); ++i) parameters.push_back(graph.parameter_at(i));
  folding_.reset(new Program(parameters, bound, Parameters::read));
}

void Program::bind(std::span<const double> parameters) {
  if (bound_.empty()) return;
  const hamel_lanes::ProgramView view = folding_->view();
  std::vector<Quad> slots(static_cast<std::size_t>(view.slots));
  for (int i = 0; i < view.constants; ++i)
    slots[view.constant_slots[i]] = folding_->constants_[static_cast<std::size_t>(i)];
  const std::vector<Quad> in(parameters.begin(), parameters.end());
  std::vector<Quad> out(bound_.size());
  evaluate(view, in.data(), slots.data(), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) constants_[bound_[i]] = out[i];
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
  take_constants();
}

template <class S>
void Evaluator<S>::bind(std::span<const double> parameters) {
  program_.bind(parameters);
  take_constants();
}

template <class S>
void Evaluator<S>::take_constants() {
  const hamel_lanes::ProgramView view = program_.view();
  for (int i = 0; i < view.constants; ++i)
    slots_[view.constant_slots[i]] =
        static_cast<S>(program_.constants()[static_cast<std::size_t>(i)]);
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
