// SPDX-License-Identifier: BSD-3-Clause
// Taking out of a vector what lies in the span of others: Gram and Schmidt, in Quad.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "hamel/core/quad.hpp"
#include "hamel/core/scalar.hpp"

namespace hamel {

/// What some vectors span, by orthonormal ones.
class Span {
 public:
  /// No effect where x lies in what the others span, but for 1e-12 of it.
  void add(std::vector<Quad> x) {
    const Quad before = length(x);
    take_out_of(x);
    const Quad size = length(x);
    if (!(size > Quad(1e-12) * before)) return;
    for (Quad& component : x) component /= size;
    basis_.push_back(std::move(x));
  }

  void take_out_of(std::vector<Quad>& x) const {
    for (const std::vector<Quad>& e : basis_) {
      const Quad along = std::inner_product(e.begin(), e.end(), x.begin(), Quad(0));
      for (std::size_t b = 0; b < x.size(); ++b) x[b] -= along * e[b];
    }
  }

 private:
  static Quad length(const std::vector<Quad>& x) {
    return sqrt(std::inner_product(x.begin(), x.end(), x.begin(), Quad(0)));
  }

  std::vector<std::vector<Quad>> basis_;
};

}  // namespace hamel
