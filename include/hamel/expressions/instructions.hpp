// SPDX-License-Identifier: BSD-3-Clause
// A program as plain data, and how to run it in any scalar: it crosses the border to the kernels
// that are compiled for several instruction sets, hence a namespace of its own.
#pragma once

#include <cmath>
#include <cstdint>

#include "hamel/core/scalar.hpp"

namespace hamel_lanes {

enum class Code : std::uint32_t {
  add,
  sub,
  mul,
  mul_add,
  mul_sub,
  sub_mul,
  div,
  neg,
  pow,
  sqrt,
  exp,
  log,
  sin,
  cos,
  sin_cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  min,
  max,
  less,
  select
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
    const auto& [code, to, a, b, c] = *at;
    switch (code) {
      case Code::add: x[to] = x[a] + x[b]; break;
      case Code::sub: x[to] = x[a] - x[b]; break;
      case Code::mul: x[to] = x[a] * x[b]; break;
      case Code::mul_add: x[to] = x[a] * x[b] + x[c]; break;
      case Code::mul_sub: x[to] = x[a] * x[b] - x[c]; break;
      case Code::sub_mul: x[to] = x[c] - x[a] * x[b]; break;
      case Code::div: x[to] = x[a] / x[b]; break;
      case Code::neg: x[to] = -x[a]; break;
      case Code::pow: x[to] = pow(x[a], x[b]); break;
      case Code::sqrt: x[to] = sqrt(x[a]); break;
      case Code::exp: x[to] = exp(x[a]); break;
      case Code::log: x[to] = log(x[a]); break;
      case Code::sin: x[to] = sin(x[a]); break;
      case Code::cos: x[to] = cos(x[a]); break;
      case Code::sin_cos: sin_cos(x[a], x[to], x[c]); break;
      case Code::tan: x[to] = tan(x[a]); break;
      case Code::asin: x[to] = asin(x[a]); break;
      case Code::acos: x[to] = acos(x[a]); break;
      case Code::atan: x[to] = atan(x[a]); break;
      case Code::atan2: x[to] = atan2(x[a], x[b]); break;
      case Code::sinh: x[to] = sinh(x[a]); break;
      case Code::cosh: x[to] = cosh(x[a]); break;
      case Code::tanh: x[to] = tanh(x[a]); break;
      case Code::abs: x[to] = abs(x[a]); break;
      case Code::min: x[to] = min(x[a], x[b]); break;
      case Code::max: x[to] = max(x[a], x[b]); break;
      case Code::less: x[to] = select(x[a] < x[b], S(1.0), S(0.0)); break;
      case Code::select: x[to] = select(x[a] != S(0.0), x[b], x[c]); break;
    }
  }
  for (int i = 0; i < program.output_count; ++i) out[i] = x[program.outputs[i]];
}

}  // namespace hamel
