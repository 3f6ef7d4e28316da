// SPDX-License-Identifier: BSD-3-Clause

#include "stepped_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {
using hamel_lanes::overflowing;
using hamel_lanes::runaway;

std::size_t width_of(const std::vector<OutputField>& fields) {
  std::size_t sum = 0;
  for (const OutputField& field : fields) sum += static_cast<std::size_t>(field.width);
  return sum;
}
}  // namespace

SteppedSimulation::SteppedSimulation(std::unique_ptr<StateView> view,
                                     std::unique_ptr<Stepper<double>> stepper,
                                     const StartValues& start, double h, std::int64_t measure_every)
    : view_(std::move(view)),
      stepper_(std::move(stepper)),
      h_(h),
      measure_every_(measure_every),
      shown_(width_of(view_->fields())),
      further_(width_of(view_->further_fields())) {
  const std::size_t invariants = view_->invariants().size();
  seen_ = std::make_unique<std::vector<double>>(shown_ + invariants);
  restart(start);
}

void SteppedSimulation::restart(const StartValues& start) {
  at_ = {};
  failed_ = Status::ok;
  undefined_ = -1;
  measured_ = {};
  drift_.clear();
  if (!stepper_->start(start.q, start.velocity, h_, state_) || !observe())
    throw InputError(
        "the method cannot start from the initial state: its first equations have no "
        "solution there; try a smaller step or another method");
  if (const int index = undefined(); index >= 0)
    throw InputError(seen_name(index) + " is not finite at the initial state");
  if (keeps_backup()) backup_ = state_;
  view_->start_watch(seen_->data(), time());
  for (std::size_t i = shown_; i < seen_->size(); ++i) {
    const double value = (*seen_)[i];
    drift_.push_back({value, value, 0.0, 0.0, 0.0});
  }
  if (guarded()) mark_ = {state_, at_, drift_, measured_};
}

bool SteppedSimulation::restart(const StartValues& start, std::span<const double> parameters) {
  if (!view_->bind(parameters) || !stepper_->bind(parameters)) return false;
  restart(start);
  return true;
}

bool SteppedSimulation::observe() const noexcept {
  return observe(seen_->data(), seen_->data() + shown_);
}

bool SteppedSimulation::observe(double* shown, double* invariants) const noexcept {
  return view_->observe(*stepper_, state_, {static_cast<double>(at_.n) * h_, time(), h_}, shown,
                        invariants);
}

int SteppedSimulation::undefined() const noexcept {
  for (std::size_t i = 0; i < seen_->size(); ++i)
    if (!((*seen_)[i] - (*seen_)[i] == 0.0)) return static_cast<int>(i);
  return -1;
}

std::string SteppedSimulation::seen_name(int index) const {
  if (index < static_cast<int>(shown_)) return view_->name_of(index);
  return std::string(view_->invariants()[static_cast<std::size_t>(index) - shown_].name);
}

void SteppedSimulation::measure(bool observed) noexcept {
  if (!observed) observe();
  const auto n = static_cast<double>(at_.n);
  for (std::size_t i = 0; i < drift_.size(); ++i) drift_[i].add(n, (*seen_)[shown_ + i]);
  measured_.add(n);
  at_.measured_at = at_.n;
  if (!view_->watches()) view_->watch(seen_->data(), time());
}

namespace {
void copy(const StepperState<double>& from, StepperState<double>& to) noexcept {
  std::ranges::copy(from.z, to.z.begin());
  std::ranges::copy(from.carry, to.carry.begin());
  std::ranges::copy(from.memory, to.memory.begin());
  std::ranges::copy(from.held, to.held.begin());
  to.history = from.history;
}
}  // namespace

void SteppedSimulation::mark() noexcept {
  copy(state_, mark_.state);
  mark_.at = at_;
  std::ranges::copy(drift_, mark_.drift.begin());
  mark_.measured = measured_;
}

void SteppedSimulation::return_to_mark() noexcept {
  copy(mark_.state, state_);
  at_ = mark_.at;
  std::ranges::copy(mark_.drift, drift_.begin());
  measured_ = mark_.measured;
  observe();
}

// The steps since the mark are made again one by one, so that the same one fails whenever it was
// observed for.
bool SteppedSimulation::crossed(bool observed) noexcept {
  if (!guarded() || at_.n == mark_.at.n || !(observed || observe())) return false;
  const auto good = [&] {
    return undefined() < 0 && (!view_->watches() || view_->watch(seen_->data(), time()));
  };
  if (good()) {
    mark();
    return false;
  }
  const std::int64_t end = at_.n;
  return_to_mark();
  view_->start_watch(seen_->data(), time());
  while (at_.n < end && go_on(1) == Status::ok && observe() && good()) mark();
  return_to_mark();
  if (failed_ != Status::not_finite) failed_ = Status::singular;
  return true;
}

// A Newton step among such numbers means nothing.
bool SteppedSimulation::runs_away() const noexcept {
  return std::ranges::any_of(state_.z, [](double x) { return std::fabs(x) > runaway; });
}

StepReport<double> SteppedSimulation::divided(const StepReport<double>& failed) noexcept {
  const double t = static_cast<double>(at_.n) * h_;
  const StepReport<double> report = divide(failed, [&](int parts) {
    return_to_backup();
    state_.forget();
    return [this, t, h = h_ / parts](int k) { return stepper_->step(state_, t + k * h, h); };
  });
  if (report.failed()) return report;
  state_.forget();
  ++at_.divided;
  return report;
}

void SteppedSimulation::count(const StepsReport<double>& made) noexcept {
  if (made.done == 0) return;
  at_.n += made.done;
  at_.iterations_last = made.iterations_last;
  at_.iterations_total += made.iterations;
  at_.iterations_max = std::max<std::int64_t>(at_.iterations_max, made.iterations_max);
}

Status SteppedSimulation::go_on(std::int64_t steps) noexcept {
  // Where a formula ends, the state may well go on: through the pole of log(x), say.
  const bool looks = view_->may_be_undefined();
  StepperState<double>* const before = keeps_backup() ? &backup_ : nullptr;
  for (const std::int64_t end = at_.n + steps; at_.n < end;) {
    Counters last = at_;  // before the step that may not count
    const std::int64_t asked = looks ? 1 : end - at_.n;
    StepsReport<double> made = stepper_->advance(state_, {at_.n, asked, h_, before});
    count(made);
    if (made.done < asked) {
      last = at_;
      StepReport<double>& report = made.last;
      if (report.no_convergence && stepper_->divisible()) {
        report = divided(report);
        made.size = stepper_->keeps_finite() ? 0.0 : state_.size();
      }
      if (report.failed() || !(made.size <= overflowing)) {
        if (before != nullptr) return_to_backup();
        failed_ = report.failed() ? report.status() : Status::not_finite;
        if (runs_away()) failed_ = Status::not_finite;
        return failed_;
      }
      count({1, report.iterations, report.iterations, report.iterations, report, made.size});
    }
    // Powers of large numbers overflow before these do.
    if (!looks && made.size <= runaway) continue;
    const bool shown = observe();
    undefined_ = undefined();
    far_ = -1;
    for (std::size_t i = 0; i < shown_ && far_ < 0; ++i)
      if (std::fabs((*seen_)[i]) > runaway) far_ = static_cast<int>(i);
    if (shown && undefined_ < 0) continue;
    return_to_backup();
    at_ = last;
    return failed_ = shown ? Status::not_finite : Status::singular;
  }
  return Status::ok;
}

Status SteppedSimulation::advance(Block& block) noexcept {
  // Steps to go until n is a multiple of `every`; 0 where it does not matter.
  const auto countdown = [&](std::int64_t every) { return every > 0 ? every - at_.n % every : 0; };
  std::int64_t until_record = countdown(block.record_every);
  std::int64_t until_measure = countdown(block.measure_every);
  const auto ends = [&](bool observed) {
    const std::int64_t seen = observed ? at_.n - 1 : at_.n;  // a step is measured before its row
    if (!crossed(observed)) return false;
    if (block.record_every > 0)
      block.rows->drop(seen / block.record_every - at_.n / block.record_every);
    return true;
  };
  for (std::int64_t left = block.steps; left > 0;) {
    std::int64_t count = left;
    for (const std::int64_t until : {until_record, until_measure})
      if (until > 0) count = std::min(count, until);
    if (go_on(count) != Status::ok) {
      ends(false);
      return failed_;
    }
    left -= count;
    if ((until_measure -= count) == 0) {
      measure(view_->may_be_undefined());
      if (ends(true)) return failed_;
      until_measure = block.measure_every;
    }
    if ((until_record -= count) == 0) {
      block.rows->add([this](double* row) { write_row(row); });
      until_record = block.record_every;
    }
  }
  ends(false);  // so that rows of an earlier block are good ones
  return failed_;
}

std::vector<NamedValues> SteppedSimulation::state() const {
  observe();
  std::vector<NamedValues> parts;
  const auto add = [&](const std::vector<OutputField>& fields, const double* from) {
    for (const OutputField& field : fields) {
      parts.push_back({field, {from, from + field.width}});
      from += field.width;
    }
  };
  add(view_->fields(), seen_->data());
  std::vector<double> further(further_);
  view_->observe_further(seen_->data(), time(), further.data());
  add(view_->further_fields(), further.data());
  return parts;
}

std::vector<InvariantDrift> SteppedSimulation::invariants() {
  if (at_.measured_at != at_.n) measure();
  std::vector<InvariantDrift> list;
  std::size_t i = 0;
  for (const InvariantInfo& info : view_->invariants()) {
    const DriftSums& d = drift_[i++];
    list.push_back({InvariantText(info), d.initial, d.last, d.max_drift, measured_.slope(d)});
  }
  return list;
}

void SteppedSimulation::write_drifts(double* initial, double* largest) {
  if (at_.measured_at != at_.n) measure();
  for (const DriftSums& d : drift_) {
    *initial++ = d.initial;
    *largest++ = d.max_drift;
  }
}

std::optional<LaneAccess> SteppedSimulation::lane_access() {
  LaneAccess access{stepper_->lanes(), state_.z, state_.memory, h_};
  if (access.steps.kernel == nullptr) return std::nullopt;
  return access;
}

Status SteppedSimulation::stepped(const LaneSteps& steps) noexcept {
  at_.n += steps.done;
  at_.iterations_total += steps.iterations;
  state_.history += steps.done;
  failed_ = steps.status;
  if (failed_ != Status::ok && runs_away()) failed_ = Status::not_finite;
  if (steps.between && failed_ == Status::ok && observe() && undefined() < 0) return failed_;
  if (steps.done > 0 && steps.measured) measure();
  crossed(steps.done > 0 && steps.measured);
  return failed_;
}

std::vector<OutputColumn> SteppedSimulation::columns() const {
  std::vector<OutputColumn> list = {{"/t", 1, "s", "time"}};
  const auto add = [&](const std::string& group, const auto& info, int width) {
    list.push_back({group + std::string(info.name), width, std::string(info.unit),
                    std::string(info.description)});
  };
  for (const OutputField& field : view_->fields()) add("/", field, field.width);
  for (const OutputField& field : view_->further_fields()) add("/", field, field.width);
  for (const InvariantInfo& info : view_->invariants()) add("/invariants/", info, 1);
  list.push_back(solver_iterations_column());
  if (stepper_->divisible()) list.push_back(divided_steps_column());
  return list;
}

int SteppedSimulation::row_width() const {
  return static_cast<int>(2 + seen_->size() + further_) + (stepper_->divisible() ? 1 : 0);
}

void SteppedSimulation::write_row(double* row) const {
  *row++ = time();
  double* further = row + shown_;
  double* invariants = further + further_;
  if (!observe(row, invariants)) {  // as state() does: what was measured last
    std::copy_n(seen_->begin(), shown_, row);
    std::copy(seen_->begin() + static_cast<std::ptrdiff_t>(shown_), seen_->end(), invariants);
  }
  if (further_ > 0) view_->observe_further(row, time(), further);
  double* const solver = invariants + (seen_->size() - shown_);
  solver[0] = static_cast<double>(at_.iterations_last);
  if (stepper_->divisible()) solver[1] = static_cast<double>(at_.divided);
}

std::vector<std::string> SteppedSimulation::remarks() const {
  std::vector<std::string> list = view_->remarks();
  if (at_.divided > 0) list.push_back(division_remark(at_.divided));
  return list;
}

std::string SteppedSimulation::failure() const {
  if (failed_ == Status::ok) return "";
  if (failed_ == Status::not_finite && undefined_ >= 0 && far_ >= 0)
    return seen_name(far_) + " runs off";
  if (failed_ == Status::not_finite && undefined_ >= 0)
    return seen_name(undefined_) +
           " is not finite after the step: the motion leaves the domain of its formula";
  observe();  // the view tells of the state it has seen last
  return view_->failure(failed_, *stepper_, state_);
}

std::optional<double> SteppedSimulation::working_step() const {
  constexpr int tried_steps = 16;
  std::vector<double> seen(seen_->size());
  for (int parts = 2; parts <= most_divisions; parts *= 2) {
    const double h = h_ / parts;
    StepperState<double> state = state_;
    state.forget();
    bool good = true;
    for (int k = 0; good && k < tried_steps * parts; ++k) {
      const double t = static_cast<double>(at_.n) * h_ + k * h;
      good = !stepper_->step(state, t, h).failed() &&
             view_->observe(*stepper_, state, {t + h, t + (1.0 + stepper_->offset()) * h, h},
                            seen.data(), seen.data() + shown_) &&
             all_finite(seen);
    }
    if (good) return h;
  }
  return 0.0;
}

std::function<bool(const std::vector<double>& z, std::vector<double>& values)> viewed(
    std::shared_ptr<StateView> view, std::shared_ptr<Stepper<double>> stepper,
    std::size_t coordinates) {
  const std::size_t shown = width_of(view->fields());
  const std::size_t invariants = view->invariants().size();
  return [view = std::move(view), stepper = std::move(stepper), coordinates, shown, invariants](
             const std::vector<double>& z, std::vector<double>& values) {
    constexpr double h = 1.0;  // no step is made
    const auto middle = z.begin() + static_cast<std::ptrdiff_t>(coordinates);
    StepperState<double> state;
    std::vector<double> seen(shown + invariants);
    if (!stepper->start({z.begin(), middle}, {middle, z.end()}, h, state) ||
        !view->observe(*stepper, state, {0.0, 0.0, h}, seen.data(), seen.data() + shown))
      return false;
    values.assign(seen.begin() + static_cast<std::ptrdiff_t>(shown), seen.end());
    return true;
  };
}

double reversal_defect_of(Stepper<Quad>& stepper, const std::vector<Quad>& q,
                          const std::vector<Quad>& velocity, double step, std::int64_t steps) {
  StepperState<Quad> state;
  const Quad h = step;
  if (!stepper.start(q, velocity, h, state)) return NAN;
  const std::vector<Quad> begin = state.z;
  for (std::int64_t n = 0; n < steps; ++n)
    if (stepper.step(state, Quad(n) * h, h).failed()) return NAN;
  for (std::int64_t n = steps; n > 0; --n) {
    state.forget();
    if (stepper.step(state, Quad(n) * h, -h).failed()) return NAN;
  }
  Quad sum = 0;
  for (std::size_t i = 0; i < begin.size(); ++i)
    sum += (state.z[i] - begin[i]) * (state.z[i] - begin[i]);
  return static_cast<double>(sqrt(sum));
}

}  // namespace hamel
