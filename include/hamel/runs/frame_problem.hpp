// SPDX-License-Identifier: BSD-3-Clause
// FrameProblem: a frame system from an initial state, with every method that fits it.
#pragma once

#include "hamel/models/frame_model.hpp"
#include "hamel/runs/problem.hpp"

namespace hamel {

/// An initial state in a frame.
struct FrameInitial {
  std::vector<double> q, xi;
};

/// Throws InputError with the reason where the system cannot be simulated from there.
/// brackets_checked: those of the same formulas, with other numbers, were found to be good.
std::unique_ptr<Problem> make_frame_problem(FrameModel model, FrameInitial initial,
                                            bool brackets_checked = false);

/// The ways to give an initial state: q with xi, v or p.
std::vector<std::vector<InitialField>> frame_initial_forms(int coordinates, int fields);
/// (q, ξ) from one of those forms; a velocity that the frame does not admit is refused.
FrameInitial frame_initial(const FrameModel& model, int form, const InitialValues& given,
                           std::vector<std::string>& notes);

/// Energy and the model's own invariants. The texts live as long as the model.
std::vector<InvariantInfo> frame_invariants(const FrameModel& model);
/// timed: whether the Lagrangian contains t.
std::vector<InvariantInfo> frame_invariants(const FrameModel& model, bool timed);
/// y over x where the coordinates have these names, else the first one over time.
void set_default_figure(SystemEntry& entry);
/// Every method of the frame family that fits.
std::vector<MethodInfo> frame_methods(const FrameModel& model);

/// Those invariants of the model that are quadratic in (q, P), P = momentum(q, ξ, t), and do not
/// change along the flow near (q, ξ), on or off any constraint manifold: what methods that keep
/// quadratic invariants keep. Found by probing in Quad.
std::vector<std::string> quadratic_invariants(const FrameModel& model, const Expressions& momentum,
                                              const FrameInitial& at);

}  // namespace hamel
