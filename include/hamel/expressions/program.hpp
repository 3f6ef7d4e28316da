// SPDX-License-Identifier: BSD-3-Clause
// Program: expressions compiled to a list of instructions, and Evaluator, which runs it.
//
// Every node that the outputs use is one instruction, in an order in which operands come first;
// sin and cos of one argument are one instruction. The list is run in any scalar that has the
// elementary functions: double, long double, Quad. What is fixed, that is made of parameters and
// constants alone, is no instruction but a constant: folded in Quad for the parameters' numbers, at
// first their nominal ones, and rounded once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hamel/expressions/expression.hpp"
#include "hamel/expressions/instructions.hpp"

namespace hamel {

class Program {
 public:
  Program() = default;
  /// inputs: variables; outputs: expressions in them (others are an error).
  Program(std::span<const Expression> inputs, std::span<const Expression> outputs);

  int inputs() const { return inputs_; }
  int outputs() const { return static_cast<int>(outputs_.size()); }
  int instructions() const { return static_cast<int>(code_.size()); }
  const std::vector<Quad>& constants() const { return constants_; }
  /// From now on with these numbers for the parameters of the graph, all of them in its order.
  void bind(std::span<const double> parameters);

  /// The held quantities that it needs, by their places in the graph, and the slots for them.
  struct Held {
    int index;
    std::uint32_t slot;
  };
  const std::vector<Held>& held() const { return held_; }

  /// As plain data, while the program lives and stays where it is.
  hamel_lanes::ProgramView view() const;

 private:
  enum class Parameters { folded, read };  // as constants, or as inputs
  Program(std::span<const Expression> inputs, std::span<const Expression> outputs, Parameters how);

  int inputs_ = 0;
  std::uint32_t slots_ = 0;
  std::vector<hamel_lanes::Instruction> code_;
  std::vector<std::uint32_t> outputs_, constant_slots_;
  std::vector<Quad> constants_;
  // The constants that depend on parameters: where they are, and what gives them.
  std::vector<std::size_t> bound_;
  std::shared_ptr<const Program> folding_;
  std::vector<Held> held_;
};

/// A program with the memory it needs; one per thread. S: double, long double, Quad.
template <class S>
class Evaluator {
 public:
  Evaluator() = default;
  explicit Evaluator(const Program& program);

  /// From now on with these numbers for the parameters; see Program.
  void bind(std::span<const double> parameters);

  /// From now on with these held quantities, all of the graph's. No allocation.
  void hold(std::span<const S> held) noexcept {
    for (const auto& [index, slot] : program_.held())
      slots_[slot] = held[static_cast<std::size_t>(index)];
  }

  /// out = program(in). No allocation.
  void operator()(const S* in, S* out) noexcept;

  const Program& program() const { return program_; }

 private:
  void take_constants();

  std::vector<S> slots_;
  Program program_;
};

extern template class Evaluator<double>;
extern template class Evaluator<long double>;
#if LDBL_MANT_DIG != 113
extern template class Evaluator<Quad>;
#endif

}  // namespace hamel
