// SPDX-License-Identifier: BSD-3-Clause
// SingularityWatch: notices that a system was singular between two states.
//
// The kinetic matrix by the sign of its determinant. The frame by its orientation: with the rows
// u_i(q) of ψ, det ψ(a)ψ(b)ᵀ > 0 where the fields at b are those at a, moved by less than a right
// angle; where they became dependent on the way it is negative, however close a and b are. A frame
// of fewer fields than coordinates may turn by more between two states, so the way from a to b is
// halved until it does not.
#pragma once

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"

namespace hamel {

class SingularityWatch {
 public:
  SingularityWatch(const FrameModel& model, const FrameEquations& e);
  void bind(std::span<const double> parameters) {
    kinetic_.bind(parameters);
    frame_.bind(parameters);
  }
  void hold(std::span<const double> held) noexcept {
    kinetic_.hold(held);
    frame_.hold(held);
  }
  enum class Change { none, kinetic_matrix, frame };
  /// From this state on.
  void start(const double* q, const double* xi, double t) noexcept;
  /// Compared with the start and with the state of the last call.
  Change operator()(const double* q, const double* xi, double t) noexcept;

 private:
  int mass_sign(const double* q, const double* xi, double t) noexcept;
  /// Whether the frame keeps its orientation from a to b (positive) or not (negative).
  int orientation(const double* a, const double* b, int halvings) noexcept;
  // Of matrix_, m×m; the sign alone neither overflows nor underflows.
  int sign() noexcept;
  double determinant() noexcept;
  /// The fields at q, each of length one: coordinates may run over many orders of magnitude.
  void unit_rows(const double* q, std::vector<double>& rows) noexcept;

  int N_, m_;
  bool watched_, square_;  // the frame
  int mass_ = 0;
  Evaluator<double> kinetic_, frame_;
  std::vector<double> in_, matrix_, rows_a_, rows_b_, last_;
  std::vector<std::vector<double>> middle_;  // one per halving
  std::vector<int> pivot_;
};

}  // namespace hamel
