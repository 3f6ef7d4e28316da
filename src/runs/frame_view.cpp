// SPDX-License-Identifier: BSD-3-Clause

#include "frame_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hamel/expressions/domain.hpp"
#include "hamel/models/frame_equations.hpp"
#include "hamel/solve/dense.hpp"

namespace hamel {

namespace {
std::size_t index(int i) { return static_cast<std::size_t>(i); }
}  // namespace

FrameView::FrameView(std::shared_ptr<const FrameModel> model, const FrameEquations& e, bool timed)
    : model_(std::move(model)),
      invariants_(frame_invariants(*model_, timed)),
      N_(model_->coordinates_count()),
      m_(model_->fields()),
      forced_(model_->forced()),
      watch_(*model_, e) {
  const Expressions inputs = model_->variables();
  Expressions outputs = e.momentum;
  outputs.push_back(e.power);
  Expressions inputs_now;
  for (const FrameInput& input : model_->inputs) {
    columns_.push_back("inputs/" + input.name);
    inputs_now.push_back(input.symbol);
  }
  inputs_now = model_->closed(inputs_now, e.velocity);
  outputs.insert(outputs.end(), inputs_now.begin(), inputs_now.end());
  const Expressions watched = watched_quantities(*model_, e);  // the energy first
  outputs.insert(outputs.end(), watched.begin(), watched.end());
  evaluate_ = Evaluator<double>(Program(inputs, outputs));
  undefined_ = hamel::may_be_undefined(outputs);
  in_.resize(inputs.size());
  out_.resize(outputs.size());

  // Redundant coordinates such as those of a rotation have no reaction that means anything.
  const bool full = static_cast<int>(model_->frame.size() + model_->complement.size()) == N_ &&
                    static_cast<int>(model_->xi.size()) == N_ && !model_->redundant;
  constrained_ = m_ < N_ && (!model_->quasi || model_->in_velocities || full);
  if (!constrained_) return;
  const ReactionEquations r = reaction_equations(*model_, e);
  Expressions parts = r.M;
  for (const auto* list : {&r.g, &r.B, &r.c}) parts.insert(parts.end(), list->begin(), list->end());
  reaction_ = Evaluator<double>(Program(inputs, parts));
  parts_.resize(parts.size());
  pivot_.resize(index(m_));
}

bool FrameView::bind(std::span<const double> parameters) {
  evaluate_.bind(parameters);
  reaction_.bind(parameters);
  watch_.bind(parameters);
  return true;
}

std::vector<OutputField> FrameView::fields() const {
  std::vector<OutputField> list = {{"q", N_, "1", "coordinates"},
                                   {"xi", m_, "1", "quasi-velocities"},
                                   {"p", m_, "1", "momenta in the frame"}};
  for (const std::string& column : columns_) list.push_back({column, 1, "1", "input"});
  return list;
}

std::vector<OutputField> FrameView::further_fields() const {
  if (!constrained_) return {};
  return {{"reaction", N_, "1", "force of the constraints, by coordinate"}};
}

std::string FrameView::name_of(int index) const {
  return index < N_ ? "coordinate " + model_->coordinates[static_cast<std::size_t>(index)]
                    : StateView::name_of(index);
}

void FrameView::load(const double* q, double time) noexcept {
  for (int i = 0; i < N_ + m_; ++i) in_[index(i)] = q[i];
  in_[index(N_ + m_)] = time;
}

void FrameView::observe_further(const double* seen, double time, double* to) noexcept {
  if (!constrained_) return;
  load(seen, time);
  reaction_(in_.data(), parts_.data());
  double* M = parts_.data();
  double* g = M + m_ * m_;
  const double* B = g + m_;
  const double* c = B + N_ * m_;
  const bool regular = lu_factor(M, m_, pivot_.data());
  if (regular) lu_solve(M, m_, pivot_.data(), g);
  for (int b = 0; b < N_; ++b) {
    to[b] = regular ? c[b] : 0.0;
    for (int j = 0; j < m_ && regular; ++j) to[b] += B[b * m_ + j] * g[j];
  }
}

bool FrameView::observe(Stepper<double>& stepper, const StepperState<double>& state,
                        const Moment& moment, double* seen, double* to) noexcept {
  if (!stepper.observe(state, moment.t, moment.h, seen, seen + N_)) return false;
  load(seen, moment.time);
  if (model_->holds()) {
    const auto held = stepper.held(state, moment.t, moment.h);
    evaluate_.hold(held);
    reaction_.hold(held);
    watch_.hold(held);
  }
  evaluate_(in_.data(), out_.data());
  for (int j = 0; j < m_; ++j) seen[N_ + m_ + j] = out_[index(j)];
  const double power = out_[index(m_)];
  const double* input = out_.data() + m_ + 1;
  for (std::size_t i = 0; i < columns_.size(); ++i) seen[index(N_ + 2 * m_) + i] = *input++;
  const double energy = *input;
  *to++ = energy;
  if (forced_) {  // the work of a state lies work_offset steps behind what is shown
    const double W = (state.z.size() > index(N_ + m_) ? state.z.back() : 0.0) +
                     stepper.work_offset() * moment.h * power;
    *to++ = energy - W;
    if (!columns_.empty()) *to++ = W;
  }
  for (++input; input < out_.data() + out_.size(); ++input) *to++ = *input;
  return true;
}

void FrameView::start_watch(const double* seen, double time) noexcept {
  watch_.start(seen, seen + N_, time);
}

bool FrameView::watch(const double* seen, double time) noexcept {
  change_ = watch_(seen, seen + N_, time);
  return change_ == SingularityWatch::Change::none;
}

std::string FrameView::failure(Status status, const Stepper<double>&,
                               const StepperState<double>& state) const {
  if (change_ == SingularityWatch::Change::kinetic_matrix)
    return "the kinetic matrix has changed its sign: it is singular within the next step";
  if (change_ == SingularityWatch::Change::frame)
    return "the frame has changed its orientation: its fields are dependent within the next step";
  const auto value = [&](int b) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.4g", state.z[index(b)]);
    return model_->coordinates[index(b)] + " = " + buffer;
  };
  int largest = 0;
  for (int b = 1; b < N_; ++b)
    if (std::fabs(state.z[index(b)]) > std::fabs(state.z[index(largest)])) largest = b;
  if (status == Status::not_finite)
    return std::fabs(state.z[index(largest)]) > 1e10 ? "coordinate " + value(largest) + " runs off"
                                                     : "the state is not finite after the step";
  std::string where;
  for (int b = 0; b < N_ && b < 6; ++b) where += (b > 0 ? ", " : "") + value(b);
  if (N_ > 6) where += ", …";
  return (status == Status::singular ? "the matrix of the step is singular near "
                                     : "the step's equations could not be solved from ") +
         where;
}

}  // namespace hamel
