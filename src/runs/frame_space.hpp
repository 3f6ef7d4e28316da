// SPDX-License-Identifier: BSD-3-Clause
// (r, ξ), the shape and the quasi-velocities of a frame system; see runs/reduced_space.hpp.
#pragma once

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_model.hpp"
#include "hamel/runs/reduced_space.hpp"

namespace hamel {

class FrameSpace final : public ReducedSpace {
 public:
  /// (q, ξ): a state of the system, through which the leaf goes.
  FrameSpace(const FrameModel& model, const std::vector<double>& q, const std::vector<double>& xi);

  void base_at(const State& z) override;
  int dimension() const override {
    return static_cast<int>(shape_basis_.size() + xi_basis_.size());
  }
  State at(const State& c) const override;
  State coordinates(const State& z) const override;
  std::vector<Component> components() const override;
  std::vector<std::string> cyclic() const override;
  Quad symmetry_defect(StepMap<Quad>& map) const override;

 private:
  using Vectors = std::vector<State>;

  /// u_1 … u_m and brackets of them, K vectors in q-space.
  Vectors fields_at(const Quad* q) const;
  /// q after unit time along Σ weights_k X_k.
  void flow(State& q, const State& weights) const;
  void make_shortest(State& z) const;

  std::vector<std::string> names_;
  std::vector<int> shape_;   // indices of r in q
  std::vector<int> cyclic_;  // the others
  int N_ = 0;
  int m_ = 0;
  bool shortest_ = false;
  int field_count_ = 0;
  mutable Evaluator<Quad> fields_;

  // The chart.
  bool free_ = false;       // the leaf is all of q-space
  Vectors shape_basis_;     // orthonormal, in r
  Vectors shape_weights_;   // of the fields, moving r along them; empty where free
  Vectors cyclic_weights_;  // moving q with r at rest
  Vectors xi_basis_;
};

}  // namespace hamel
