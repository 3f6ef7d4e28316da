// SPDX-License-Identifier: BSD-3-Clause

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "hamel/runs/version.hpp"

namespace hamel {

namespace {

/// FNV-1a over the bits of what the functions give at some hundred arguments.
std::uint32_t fingerprint() {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&hash](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
  };
  std::uint64_t seed = 1;
  const auto uniform = [&seed] {  // [0, 1)
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(seed >> 11) * 0x1p-53;
  };
  for (int i = 0; i < 128; ++i) {
    const double part = uniform();
    const double angle = 40.0 * (uniform() - 0.5);
    for (const double value :
         {std::sin(angle), std::cos(angle), std::tan(angle), std::asin(part), std::acos(part),
          std::atan(angle), std::atan2(angle, part), std::exp(angle), std::log(part),
          std::pow(part, angle), std::sinh(angle), std::cosh(angle), std::tanh(part)})
      add(value);
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace

const char* mathematics() {
  static const auto text = [] {
    std::array<char, 9> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(fingerprint()));
    return digits;
  }();
  return text.data();
}

}  // namespace hamel
