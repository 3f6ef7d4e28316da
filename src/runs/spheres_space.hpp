// SPDX-License-Identifier: BSD-3-Clause
// T(S²)ⁿ modulo rotations, see runs/reduced_space.hpp.
#pragma once

#include "hamel/core/vec.hpp"
#include "hamel/runs/reduced_space.hpp"

namespace hamel {

class SpheresSpace final : public ReducedSpace {
 public:
  explicit SpheresSpace(int n) : n_(n) {}

  void base_at(const State& z) override;
  int dimension() const override { return 4 * n_; }
  State at(const State& c) const override;
  State coordinates(const State& z) const override;
  std::vector<Component> components() const override;
  State turned(const State& z, const State& angles) const override;
  State generator(int a) const override;
  void find_axes(StepMap<Quad>& map, const State& z) override;
  Quad symmetry_defect(StepMap<Quad>& map) const override;

 private:
  using V = Vec<Quad, 3>;
  State rotated(const State& z, const V& by) const;
  /// d/dε of R(−ε)Φ(R(ε)z) at ε = 0, R(ε) about `axis`; empty where Φ is not defined.
  State commutator(StepMap<Quad>& map, const State& z, const V& axis) const;

  int n_;
  std::vector<Mat<Quad, 2, 3>> tangents_;  // of each sphere at the base
};

}  // namespace hamel
