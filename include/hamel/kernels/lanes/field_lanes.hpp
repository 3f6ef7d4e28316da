// SPDX-License-Identifier: BSD-3-Clause
// A vector field that programs give, at several points at once, one to a lane: the stages of gauss,
// or the members of an ensemble. Systems in frames and on spheres, of the catalogue or given as
// text.
//
//   ż = f(z, x, t),  A(z, t) x = r(z, t).
// The operations are those of FrameField and SpheresField, lane by lane: instructions are read once
// for all points, and their operands are whole registers.
#pragma once

#include "hamel/expressions/instruction_lanes.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/solve/dense.hpp"

namespace hamel::lanes {

template <int W>
class FieldLanes {
 public:
  /// room and slots: of the field; the slots hold the programs' constants.
  FieldLanes(const hamel_lanes::FieldPrograms& field, Lanes<W>* room, Lanes<W>* slots)
      : f_(field),
        in_(room),
        out_(in_ + field.rates.inputs),
        pivot_(out_ + (field.unknowns + 1) * field.unknowns),
        slots_(slots) {}

  /// ż; the lanes in which x does not exist get false.
  LaneMask<W> operator()(const Lanes<W>* z, const Lanes<W>& t, Lanes<W>* rate) noexcept {
    LaneMask<W> regular(true);
    for (int c = 0; c < f_.known; ++c) in_[c] = z[c];
    in_[f_.t_at] = t;
    const int k = f_.unknowns;
    if (k > 0) {
      for (int j = f_.x_at; j < f_.x_at + k && j < f_.system.inputs; ++j) in_[j] = Lanes<W>(0.0);
      evaluate(f_.system, in_, slots_, out_);
      Lanes<W>* const matrix = out_ + f_.matrix_at;
      Lanes<W>* const right = out_ + f_.right_at;
      if (f_.given >= 0)
        for (int j = 0; j < k; ++j) right[j] = z[f_.given + j] - right[j];
      regular = lu_factor_lanes(matrix, k, pivot_);
      lu_solve_lanes(matrix, k, pivot_, right);
      // Sums begin with 0 there, which has no sign.
      for (int j = 0; j < k; ++j) in_[f_.x_at + j] = f_.given >= 0 ? 0.0 + right[j] : right[j];
    }
    evaluate(f_.rates, in_, slots_ + f_.system.slots, rate);
    return regular;
  }

 private:
  const hamel_lanes::FieldPrograms& f_;
  Lanes<W>*in_, *out_, *pivot_, *slots_;
};

}  // namespace hamel::lanes
