// SPDX-License-Identifier: BSD-3-Clause
// Programs over Lanes: what running their instructions needs besides the operators.
#pragma once

#include "hamel/core/lanes.hpp"
#include "hamel/expressions/instructions.hpp"

namespace hamel {

template <int W>
void sin_cos(const Lanes<W>& a, Lanes<W>& s, Lanes<W>& c) {
  double x[W];
  double sines[W];
  a.store(x);
  for (int i = 0; i < W; ++i) sin_cos(x[i], sines[i], x[i]);
  s = Lanes<W>::load(sines);
  c = Lanes<W>::load(x);
}

}  // namespace hamel
