// SPDX-License-Identifier: BSD-3-Clause
// A program as plain data, and how to run it in any scalar: it crosses the border to the kernels
// that are compiled for several instruction sets, hence a namespace of its own.
#pragma once

#include <cmath>
#include <cstdint>

#include "hamel/core/scalar.hpp"

namespace hamel_lanes {

enum class Code : std::uint32_t {
#define HAMEL_OPERATOR(name, ...) name,
#define HAMEL_FUNCTION(name, ...) name,
#include "hamel/expressions/ops.def"
  mul_add,
  mul_sub,
  sub_mul,
  sin_cos
};

/// x[to] = code(x[a], x[b], x[c]); sin_cos: x[to] = sin(x[a]), x[c] = cos(x[a]). A product that one
/// sum alone uses is one instruction with it, ab + c, ab − c or c − ab, and is rounded as before.
struct Instruction {
  Code code;
  std::uint32_t to, a, b, c;

  bool operator==(const Instruction&) const = default;
};

/// A program that somebody owns. Its first slots are the inputs; constants have theirs.
struct ProgramView {
  const Instruction* code = nullptr;
  const std::uint32_t* outputs = nullptr;         ///< slots
  const std::uint32_t* constant_slots = nullptr;  ///< their values go beside the view
  int instructions = 0, inputs = 0, output_count = 0, constants = 0, slots = 0;
};

}  // namespace hamel_lanes

namespace hamel {

inline void sin_cos(double x, double& s, double& c) {
#if defined(__GLIBC__)
  ::sincos(x, &s, &c);
#else
  s = std::sin(x), c = std::cos(x);
#endif
}
template <class S>
void sin_cos(const S& x, S& s, S& c) {
  s = sin(x);
  c = cos(x);
}

/// out = program(in), in the slots x, which hold the constants. No allocation.
template <class S>
void evaluate(const hamel_lanes::ProgramView& program, const S* in, S* x, S* out) noexcept {
  using hamel_lanes::Code;
  for (int i = 0; i < program.inputs; ++i) x[i] = in[i];
  const hamel_lanes::Instruction* const end = program.code + program.instructions;
  for (const hamel_lanes::Instruction* at = program.code; at != end; ++at) {
    const auto& [code, to, ia, ib, ic] = *at;
    switch (code) {
// clang-format off
// Operands are addressed in each case, which has one or two of the three.
#define HAMEL_CASE(name, value) \
  case Code::name: { \
    [[maybe_unused]] const S &a = x[ia], &b = x[ib], &c = x[ic]; \
    x[to] = value; \
    break; \
  }
#define HAMEL_OPERATOR(name, n, value, ...) HAMEL_CASE(name, value)
#define HAMEL_FUNCTION(name, n, most, value, ...) HAMEL_CASE(name, value)
#include "hamel/expressions/ops.def"
      HAMEL_CASE(mul_add, a * b + c)
      HAMEL_CASE(mul_sub, a * b - c)
      HAMEL_CASE(sub_mul, c - a * b)
#undef HAMEL_CASE
        // clang-format on
      case Code::sin_cos: sin_cos(x[ia], x[to], x[ic]); break;
    }
  }
  for (int i = 0; i < program.output_count; ++i) out[i] = x[program.outputs[i]];
}

}  // namespace hamel
