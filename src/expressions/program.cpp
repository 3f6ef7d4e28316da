#include "hamel/expressions/program.hpp"

#include <stdexcept>

namespace hamel {

using hamel_lanes::Code;

Program::Program(std::span<const Expression> inputs, std::span<const Expression> outputs)
    : inputs_(static_cast<int>(inputs.size())), slots_(static_cast<std::uint32_t>(inputs.size())) {
  ExpressionGraph* graph = nullptr;
  for (const auto& e : outputs)
    if (!e.is_constant()) graph = e.graph();
  const std::size_t size = graph == nullptr ? 0 : static_cast<std::size_t>(graph->size());
  std::vector<bool> used(size, false);
  std::vector<std::int64_t> slot(size, -1);
  for (const auto& e : outputs)
    if (!e.is_constant()) used[static_cast<std::size_t>(e.node())] = true;
  for (std::size_t id = size; id-- > 0;) {
    if (!used[id]) continue;
    const auto& node = graph->node(static_cast<int>(id));
    for (const int operand : {node.a, node.b, node.c})
      if (operand >= 0) used[static_cast<std::size_t>(operand)] = true;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (static_cast<std::size_t>(inputs[i].node()) < size)
      slot[static_cast<std::size_t>(inputs[i].node())] = static_cast<std::int64_t>(i);

  // sin(x) and cos(x) of one argument, by the argument
  std::vector<int> sines(size, -1);
  std::vector<int> cosines(size, -1);
  for (std::size_t id = 0; id < size; ++id) {
    const auto& node = graph->node(static_cast<int>(id));
    if (used[id] && node.op == Op::sin)
      sines[static_cast<std::size_t>(node.a)] = static_cast<int>(id);
    if (used[id] && node.op == Op::cos)
      cosines[static_cast<std::size_t>(node.a)] = static_cast<int>(id);
  }

  // Products that one sum alone uses
  std::vector<int> uses(size, 0);
  for (const auto& e : outputs)
    if (!e.is_constant()) ++uses[static_cast<std::size_t>(e.node())];
  for (std::size_t id = 0; id < size; ++id) {
    if (!used[id]) continue;
    const auto& node = graph->node(static_cast<int>(id));
    for (const int operand : {node.a, node.b, node.c})
      if (operand >= 0) ++uses[static_cast<std::size_t>(operand)];
  }
  const auto lone_product = [&](int operand) {
    const auto id = static_cast<std::size_t>(operand);
    return graph->node(operand).op == Op::mul && uses[id] == 1 && slot[id] < 0;
  };
  std::vector<int> product(size, -1);  // of a sum
  std::vector<bool> within(size, false);
  for (std::size_t id = 0; id < size; ++id) {
    const auto& node = graph->node(static_cast<int>(id));
    if (!used[id] || (node.op != Op::add && node.op != Op::sub)) continue;
    product[id] = lone_product(node.a) ? node.a : lone_product(node.b) ? node.b : -1;
    if (product[id] >= 0) within[static_cast<std::size_t>(product[id])] = true;
  }

  const auto code_of = [](Op op) {
    switch (op) {
      case Op::add: return Code::add;
      case Op::sub: return Code::sub;
      case Op::mul: return Code::mul;
      case Op::div: return Code::div;
      case Op::neg: return Code::neg;
      case Op::pow: return Code::pow;
      case Op::sqrt: return Code::sqrt;
      case Op::exp: return Code::exp;
      case Op::log: return Code::log;
      case Op::sin: return Code::sin;
      case Op::cos: return Code::cos;
      case Op::tan: return Code::tan;
      case Op::asin: return Code::asin;
      case Op::acos: return Code::acos;
      case Op::atan: return Code::atan;
      case Op::atan2: return Code::atan2;
      case Op::sinh: return Code::sinh;
      case Op::cosh: return Code::cosh;
      case Op::tanh: return Code::tanh;
      case Op::abs: return Code::abs;
      case Op::min: return Code::min;
      case Op::max: return Code::max;
      case Op::less: return Code::less;
      default: return Code::select;
    }
  };
  for (std::size_t id = 0; id < size; ++id) {
    if (!used[id] || slot[id] >= 0 || within[id]) continue;
    const auto& node = graph->node(static_cast<int>(id));
    if (node.op == Op::input) throw std::logic_error("a program lacks one of its inputs");
    slot[id] = slots_++;
    if (node.op == Op::constant) {
      constant_slots_.push_back(static_cast<std::uint32_t>(slot[id]));
      constants_.push_back(node.value);
      continue;
    }
    const auto at = [&](int operand) {
      return operand < 0 ? 0U : static_cast<std::uint32_t>(slot[static_cast<std::size_t>(operand)]);
    };
    const auto to = static_cast<std::uint32_t>(slot[id]);
    if (product[id] >= 0) {
      const auto& factors = graph->node(product[id]);
      const bool first = product[id] == node.a;
      const Code code = node.op == Op::add ? Code::mul_add : first ? Code::mul_sub : Code::sub_mul;
      code_.push_back({code, to, at(factors.a), at(factors.b), at(first ? node.b : node.a)});
      continue;
    }
    const auto argument = static_cast<std::size_t>(node.a);
    const bool paired = (node.op == Op::sin || node.op == Op::cos) && sines[argument] >= 0 &&
                        cosines[argument] >= 0;
    if (paired) {
      const auto partner =
          static_cast<std::size_t>(node.op == Op::sin ? cosines[argument] : sines[argument]);
      slot[partner] = slots_++;
      const auto other = static_cast<std::uint32_t>(slot[partner]);
      code_.push_back({Code::sin_cos, node.op == Op::sin ? to : other, at(node.a), 0,
                       node.op == Op::sin ? other : to});
      continue;
    }
    code_.push_back({code_of(node.op), to, at(node.a), at(node.b), at(node.c)});
  }
  for (const auto& e : outputs) {
    if (e.is_constant()) {
      constant_slots_.push_back(slots_);
      constants_.push_back(e.value());
      outputs_.push_back(slots_++);
    } else {
      outputs_.push_back(static_cast<std::uint32_t>(slot[static_cast<std::size_t>(e.node())]));
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
