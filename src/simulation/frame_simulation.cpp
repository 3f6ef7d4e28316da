#include "frame_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {
std::size_t index(int i) { return static_cast<std::size_t>(i); }
constexpr double overflowing = 1e300;
constexpr double runaway = 1e50;
}  // namespace

FrameObserver::FrameObserver(const FrameModel& model)
    : N_(model.coordinates_count()), m_(model.fields()), forced_(model.forced()) {
  const FrameEquations e = frame_equations(model);
  const Expressions inputs = model.variables();
  Expressions outputs = e.momentum;
  outputs.push_back(e.power);
  const Expressions watched = watched_quantities(model, e);  // the energy first
  outputs.insert(outputs.end(), watched.begin(), watched.end());
  evaluate_ = Evaluator<double>(Program(inputs, outputs));
  in_.resize(inputs.size());
  out_.resize(outputs.size());
  invariants_ = static_cast<int>(outputs.size()) - m_ - (forced_ ? 0 : 1);

  // Redundant coordinates such as those of a rotation have no reaction that means anything.
  const bool full = static_cast<int>(model.frame.size() + model.complement.size()) == N_ &&
                    static_cast<int>(model.xi.size()) == N_ && !model.redundant;
  constrained_ = m_ < N_ && (!model.quasi || model.in_velocities || full);
  if (!constrained_) return;
  const ReactionEquations r = reaction_equations(model);
  Expressions parts = r.M;
  for (const auto* list : {&r.g, &r.B, &r.c}) parts.insert(parts.end(), list->begin(), list->end());
  reaction_ = Evaluator<double>(Program(inputs, parts));
  parts_.resize(parts.size());
  pivot_.resize(index(m_));
}

void FrameObserver::reaction(const double* q, const double* xi, double t, double* force) noexcept {
  for (int b = 0; b < N_; ++b) in_[index(b)] = q[b];
  for (int j = 0; j < m_; ++j) in_[index(N_ + j)] = xi[j];
  in_[index(N_ + m_)] = t;
  reaction_(in_.data(), parts_.data());
  double* M = parts_.data();
  double* g = M + m_ * m_;
  const double* B = g + m_;
  const double* c = B + N_ * m_;
  const bool regular = lu_factor(M, m_, pivot_.data());
  if (regular) lu_solve(M, m_, pivot_.data(), g);
  for (int b = 0; b < N_; ++b) {
    force[b] = regular ? c[b] : 0.0;
    for (int j = 0; j < m_ && regular; ++j) force[b] += B[b * m_ + j] * g[j];
  }
}

void FrameObserver::operator()(const double* q, const double* xi, double t, double W, double dt,
                               double* p, double* invariants) noexcept {
  for (int b = 0; b < N_; ++b) in_[index(b)] = q[b];
  for (int j = 0; j < m_; ++j) in_[index(N_ + j)] = xi[j];
  in_[index(N_ + m_)] = t;
  evaluate_(in_.data(), out_.data());
  for (int j = 0; j < m_; ++j) p[j] = out_[index(j)];
  int next = 0;
  const double power = out_[index(m_)];
  const double energy = out_[index(m_) + 1];
  invariants[next++] = energy;
  if (forced_) invariants[next++] = energy - (W + dt * power);
  for (std::size_t i = index(m_) + 2; i < out_.size(); ++i) invariants[next++] = out_[i];
}

FrameSimulation::FrameSimulation(std::shared_ptr<const FrameModel> model,
                                 std::unique_ptr<FrameStepper<double>> stepper,
                                 const FrameInitial& initial, double h, std::int64_t measure_every)
    : model_(std::move(model)),
      stepper_(std::move(stepper)),
      observer_(*model_),
      watch_(*model_),
      h_(h),
      measure_every_(measure_every),
      N_(model_->coordinates_count()),
      m_(model_->fields()),
      seen_(index(N_ + 2 * m_ + observer_.invariants())) {
  if (!stepper_->start(initial.q, initial.xi, h_, state_) || !look())
    throw InputError(
        "the method cannot start from the initial state: its first equations have no "
        "solution there; try a smaller step or another method");
  backup_ = state_;
  watch_.start(seen_.data(), seen_.data() + N_, time());
  for (int i = 0; i < observer_.invariants(); ++i) {
    const double value = seen_[index(N_ + 2 * m_ + i)];
    drift_.push_back({value, value, 0.0, 0.0, 0.0});
  }
}

bool FrameSimulation::look() const noexcept {
  double* q = seen_.data();
  const double t = static_cast<double>(at_.n) * h_;
  if (!stepper_->observe(state_, t, h_, q, q + N_)) return false;
  const double W = model_->forced() && state_.z.size() > index(N_ + m_) ? state_.z.back() : 0.0;
  observer_(q, q + N_, time(), W, stepper_->work_offset() * h_, q + N_ + m_, q + N_ + 2 * m_);
  return true;
}

bool FrameSimulation::measure() noexcept {
  look();
  const auto n = static_cast<double>(at_.n);
  for (std::size_t i = 0; i < drift_.size(); ++i) drift_[i].add(n, seen_[index(N_ + 2 * m_) + i]);
  measured_.add(n);
  at_.measured_at = at_.n;
  change_ = watch_(seen_.data(), seen_.data() + N_, time());
  return change_ == SingularityWatch::Change::none;
}

Status FrameSimulation::advance(Block& block) noexcept {
  const auto countdown = [&](std::int64_t every) { return every > 0 ? every - at_.n % every : 0; };
  std::int64_t until_record = countdown(block.record_every);
  std::int64_t until_measure = countdown(block.measure_every);
  for (std::int64_t i = 0; i < block.steps; ++i) {
    std::ranges::copy(state_.z, backup_.z.begin());
    std::ranges::copy(state_.carry, backup_.carry.begin());
    const StepReport<double> report = stepper_->step(state_, static_cast<double>(at_.n) * h_, h_);
    double sum = 0.0;
    for (const double x : state_.z) sum += std::fabs(x);
    if (report.failed() || !(sum <= overflowing)) {
      std::ranges::copy(backup_.z, state_.z.begin());
      std::ranges::copy(backup_.carry, state_.carry.begin());
      failed_ = report.failed() ? report.status() : Status::not_finite;
      for (const double x : state_.z)  // a Newton step among such numbers means nothing
        if (std::fabs(x) > runaway) failed_ = Status::not_finite;
      return failed_;
    }
    ++at_.n;
    at_.iterations_last = report.iterations;
    at_.iterations_total += report.iterations;
    at_.iterations_max = std::max<std::int64_t>(at_.iterations_max, report.iterations);
    if (--until_measure == 0) {
      if (!measure()) return failed_ = Status::singular;
      until_measure = block.measure_every;
    }
    if (--until_record == 0) {
      write_row(block.rows + block.rows_written++ * row_width());
      until_record = block.record_every;
    }
  }
  return Status::ok;
}

std::vector<OutputField> FrameSimulation::fields() const {
  std::vector<OutputField> list = {{"q", N_, "1", "coordinates"},
                                   {"xi", m_, "1", "quasi-velocities"},
                                   {"p", m_, "1", "momenta in the frame"}};
  if (observer_.constrained())
    list.push_back({"reaction", N_, "1", "force of the constraints, by coordinate"});
  return list;
}

std::vector<NamedValues> FrameSimulation::state() const {
  look();
  std::vector<NamedValues> parts;
  int offset = 0;
  for (const OutputField& field : fields()) {
    if (field.name == "reaction") {
      std::vector<double> force(index(N_));
      observer_.reaction(seen_.data(), seen_.data() + N_, time(), force.data());
      parts.push_back({field, force});
      continue;
    }
    parts.push_back({field, {seen_.begin() + offset, seen_.begin() + offset + field.width}});
    offset += field.width;
  }
  return parts;
}

std::vector<InvariantDrift> FrameSimulation::invariants() {
  if (at_.measured_at != at_.n) measure();
  std::vector<InvariantDrift> list;
  std::size_t i = 0;
  for (const InvariantInfo& info : frame_invariants(*model_)) {
    const DriftSums& d = drift_[i++];
    list.push_back({{std::string(info.name), std::string(info.unit), std::string(info.description)},
                    d.initial,
                    d.last,
                    d.max_drift,
                    measured_.slope(d)});
  }
  return list;
}

std::vector<OutputColumn> FrameSimulation::columns() const {
  std::vector<OutputColumn> list = {{"/t", 1, "s", "time"}};
  for (const OutputField& field : fields())
    list.push_back({"/" + std::string(field.name), field.width, std::string(field.unit),
                    std::string(field.description)});
  for (const InvariantInfo& info : frame_invariants(*model_))
    list.push_back({"/invariants/" + std::string(info.name), 1, std::string(info.unit),
                    std::string(info.description)});
  list.push_back({"/solver/iterations", 1, "1", "solver iterations of the step"});
  return list;
}

int FrameSimulation::row_width() const {
  return 2 + static_cast<int>(seen_.size()) + (observer_.constrained() ? N_ : 0);
}

void FrameSimulation::write_row(double* row) const {
  look();
  *row++ = time();
  const auto state = seen_.begin() + N_ + 2 * m_;  // q, ξ, p before it, invariants behind
  row = std::copy(seen_.begin(), state, row);
  if (observer_.constrained()) {
    observer_.reaction(seen_.data(), seen_.data() + N_, time(), row);
    row += N_;
  }
  row = std::copy(state, seen_.end(), row);
  *row = static_cast<double>(at_.iterations_last);
}

std::string FrameSimulation::failure() const {
  if (failed_ == Status::ok) return {};
  if (change_ == SingularityWatch::Change::kinetic_matrix)
    return "the kinetic matrix has changed its sign: it was singular within the last steps";
  if (change_ == SingularityWatch::Change::frame)
    return "the frame has changed its orientation: its fields were dependent within the last steps";
  const auto text = [](double x) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.4g", x);
    return std::string(buffer);
  };
  std::string fastest;
  double largest = 0.0;
  for (int b = 0; b < N_; ++b) {
    const double x = std::fabs(state_.z[index(b)]);
    if (x > largest) {
      largest = x;
      fastest = model_->coordinates[index(b)] + " = " + text(state_.z[index(b)]);
    }
  }
  if (failed_ == Status::not_finite)
    return largest > 1e10 ? "coordinate " + fastest + " runs off"
                          : "the state is not finite after the step";
  std::string where;
  for (int b = 0; b < N_ && b < 6; ++b)
    where += (b > 0 ? ", " : "") + model_->coordinates[index(b)] + " = " + text(state_.z[index(b)]);
  if (N_ > 6) where += ", …";
  return (failed_ == Status::singular ? "the matrix of the step is singular near "
                                      : "the step's equations could not be solved from ") +
         where;
}

// A snapshot: counters, drift, then the vectors of the state, whose sizes the method fixes.

std::vector<std::byte> FrameSimulation::snapshot() const {
  Counters counters = at_;
  counters.history = state_.history;
  std::vector<std::byte> bytes;
  const auto put = [&](const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), from, from + size);
  };
  put(&counters, sizeof counters);
  put(&measured_, sizeof measured_);
  put(drift_.data(), drift_.size() * sizeof(DriftSums));
  for (const auto* list : {&state_.z, &state_.carry, &state_.memory})
    put(list->data(), list->size() * sizeof(double));
  return bytes;
}

void FrameSimulation::restore(const std::vector<std::byte>& bytes) {
  const std::size_t expected = snapshot().size();
  if (bytes.size() != expected)
    throw InputError("the checkpoint holds " + std::to_string(bytes.size()) +
                     " bytes of state, this method has " + std::to_string(expected));
  std::size_t from = 0;
  const auto get = [&](void* data, std::size_t size) {
    if (size > 0) std::memcpy(data, bytes.data() + from, size);
    from += size;
  };
  get(&at_, sizeof at_);
  get(&measured_, sizeof measured_);
  get(drift_.data(), drift_.size() * sizeof(DriftSums));
  for (auto* list : {&state_.z, &state_.carry, &state_.memory})
    get(list->data(), list->size() * sizeof(double));
  state_.history = at_.history;
  if (look()) watch_.start(seen_.data(), seen_.data() + N_, time());
}

}  // namespace hamel
