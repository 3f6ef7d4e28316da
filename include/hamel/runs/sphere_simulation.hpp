// SPDX-License-Identifier: BSD-3-Clause
// SimulationOf<Step, …>: the compiled stepping loop of one step class on one system.
#pragma once

#include <cstring>
#include <type_traits>

#include "hamel/core/error.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/runs/drift.hpp"
#include "hamel/runs/simulation.hpp"

namespace hamel {

/// The invariants of a system on the sphere: energy, length, tangency and the system's own.
template <SphereSystem System>
struct SphereInvariants {
  static constexpr int extra = [] {
    if constexpr (requires { System::extra_invariants; })
      return static_cast<int>(std::size(System::extra_invariants));
    else
      return 0;
  }();
  static constexpr int count = 3 + extra;

  static std::vector<InvariantInfo> info() {
    std::vector<InvariantInfo> list = {
        {"energy", "J", "kinetic plus potential energy"},
        {"length", "1", "distance of q from the unit sphere, ||q| - 1|"},
        {"tangency", "rad/s", "q·omega or q·q_dot: motion off the sphere"}};
    if constexpr (extra > 0)
      list.insert(list.end(), std::begin(System::extra_invariants),
                  std::end(System::extra_invariants));
    return list;
  }

  static void evaluate(const System& system, const SphereState<double>& state, double* values) {
    values[0] = energy(system, state);
    values[1] = abs(length_defect(state.q));
    values[2] = state.tangency;
    if constexpr (extra > 0) {
      const auto own = system.extra_invariant_values(state);
      for (int i = 0; i < extra; ++i) values[3 + i] = own[i];
    }
  }
};

template <class System, class Step>
class SimulationOf final : public Simulation {
  using Invariants = SphereInvariants<System>;
  using State = typename Step::State;
  static constexpr bool has_body = requires(const Step& s, const State& x) { s.Gamma(x); };
  static constexpr int state_width = has_body ? 11 : 6;
  static constexpr bool divisible = requires(const Step& s) { s.divided(2); };

  struct Progress {
    State state;
    DriftTracker<Invariants::count> drift;
    std::int64_t n;
    std::int64_t measured_at;
    std::int64_t iterations_total, iterations_max, iterations_last;
    std::int64_t divided;  // steps made of shorter ones
  };
  static_assert(std::is_trivially_copyable_v<Progress>, "checkpoints copy the state bit by bit");

 public:
  SimulationOf(const System& system, Step step, const SphereInitial<double>& initial,
               const IntegrationOptions& options, std::int64_t measure_every)
      : system_(system),
        step_(std::move(step)),
        h_(options.step),
        solver_(options.solver),
        compensated_(options.compensated),
        measure_every_(measure_every),
        at_{step_.start(initial), {}, 0, 0, 0, 0, 0, 0} {
    double values[Invariants::count];
    Invariants::evaluate(system_, kinematics(), values);
    at_.drift.start(values);
  }

  Status advance(Block& block) noexcept override {
    // The state lives in locals while stepping: kept in registers, it saves a store and a load
    // per step. It is written back before anything else looks at it.
    State state = at_.state;
    std::int64_t n = at_.n;
    std::int64_t iterations = 0;
    std::int64_t until_record = countdown(block.record_every);
    std::int64_t until_measure = countdown(block.measure_every);
    const auto write_back = [&] {
      at_.state = state;
      at_.n = n;
      at_.iterations_total += iterations;
      iterations = 0;
    };
    Status status = Status::ok;
    for (std::int64_t i = 0; i < block.steps; ++i) {
      State next = state;
      StepReport<double> report = step_.step(next);
      if constexpr (divisible)
        if (report.no_convergence) [[unlikely]]
          report = divided(report, state, next);
      if (report.failed() || !finite(next)) {
        status = report.failed() ? report.status() : Status::not_finite;
        break;
      }
      state = next;
      ++n;
      at_.iterations_last = report.iterations;
      iterations += report.iterations;
      if (report.iterations > at_.iterations_max) at_.iterations_max = report.iterations;
      if (--until_measure == 0) {
        write_back();
        measure();
        until_measure = block.measure_every;
      }
      if (--until_record == 0) {
        write_back();
        block.rows->add([this](double* row) { write_row(row); });
        until_record = block.record_every;
      }
    }
    write_back();
    return status;
  }

  std::int64_t step_count() const override { return at_.n; }
  double time() const override { return static_cast<double>(at_.n) * h_; }

  std::vector<NamedValues> state() const override {
    double row[state_width];
    write_state(row);
    std::vector<NamedValues> parts;
    int offset = 0;
    for (const OutputField& field : state_fields()) {
      parts.push_back({field, {row + offset, row + offset + field.width}});
      offset += field.width;
    }
    return parts;
  }

  std::vector<InvariantDrift> invariants() override {
    if (at_.measured_at != at_.n) measure();
    const auto info = Invariants::info();
    std::vector<InvariantDrift> list;
    for (int i = 0; i < Invariants::count; ++i)
      list.push_back({InvariantText(info[static_cast<std::size_t>(i)]), at_.drift.sums[i].initial,
                      at_.drift.sums[i].last, at_.drift.sums[i].max_drift,
                      at_.drift.drift_per_step(i)});
    return list;
  }

  void write_drifts(double* initial, double* largest) override {
    if (at_.measured_at != at_.n) measure();
    for (int i = 0; i < Invariants::count; ++i) {
      initial[i] = at_.drift.sums[i].initial;
      largest[i] = at_.drift.sums[i].max_drift;
    }
  }

  std::optional<LaneAccess> lane_access() override {
    if constexpr (requires { Step::lane_kernels; } && UniformField<System>) {
      if (hamel_lanes::ensemble == nullptr) return std::nullopt;
      LaneAccess access;
      access.steps.kernel = (hamel_lanes::ensemble->*Step::lane_kernels)[compensated_ ? 1 : 0];
      access.steps.constants = {system_.field_strength()};
      access.steps.solver = solver_;
      // A state is made of nothing but doubles.
      access.state = {reinterpret_cast<double*>(&at_.state), sizeof(State) / sizeof(double)};
      access.h = h_;
      return access;
    } else {
      return std::nullopt;
    }
  }
  Status stepped(const LaneSteps& steps) noexcept override {
    at_.n += steps.done;
    at_.iterations_total += steps.iterations;
    if (steps.done > 0 && steps.measured) measure();
    return steps.status;
  }

  double iterations_mean() const override {
    return at_.n > 0 ? static_cast<double>(at_.iterations_total) / static_cast<double>(at_.n) : 0.0;
  }
  std::int64_t iterations_max() const override { return at_.iterations_max; }
  std::int64_t divided_steps() const override { return at_.divided; }
  std::vector<std::string> remarks() const override {
    if (at_.divided == 0) return {};
    return {division_remark(at_.divided)};
  }
  std::int64_t suggested_measure_every() const override { return measure_every_; }

  std::vector<OutputColumn> columns() const override {
    std::vector<OutputColumn> list = {{"/t", 1, "s", "time"}};
    const auto add = [&](const std::string& group, const auto& info, int width) {
      list.push_back({group + std::string(info.name), width, std::string(info.unit),
                      std::string(info.description)});
    };
    for (const OutputField& field : state_fields()) add("/", field, field.width);
    for (const InvariantInfo& info : Invariants::info()) add("/invariants/", info, 1);
    list.push_back(solver_iterations_column());
    if (divisible) list.push_back(divided_steps_column());
    return list;
  }

  int row_width() const override {
    return 1 + state_width + Invariants::count + (divisible ? 2 : 1);
  }

  void write_row(double* row) const override {
    row[0] = time();
    write_state(row + 1);
    Invariants::evaluate(system_, kinematics(), row + 1 + state_width);
    row += 1 + state_width + Invariants::count;
    row[0] = static_cast<double>(at_.iterations_last);
    if (divisible) row[1] = static_cast<double>(at_.divided);
  }

  std::vector<std::byte> snapshot() const override {
    std::vector<std::byte> bytes(sizeof(Progress));
    std::memcpy(bytes.data(), &at_, sizeof(Progress));
    return bytes;
  }

  void restore(const std::vector<std::byte>& bytes) override {
    if (bytes.size() != sizeof(Progress))
      throw InputError("the checkpoint holds " + std::to_string(bytes.size()) +
                       " bytes of state, this method has " + std::to_string(sizeof(Progress)));
    Progress read = at_;  // not every state can be made from nothing
    std::memcpy(&read, bytes.data(), sizeof(Progress));
    check_counts({read.n, read.measured_at, read.iterations_total, read.iterations_max,
                  read.iterations_last, read.divided});
    at_ = read;
  }

 private:
  /// The step that did not converge, made of shorter ones.
  StepReport<double> divided(const StepReport<double>& failed, const State& from, State& to) {
    const StepReport<double> report = divide(failed, [&](int parts) {
      to = from;
      to.forget();
      return [&to, shorter = step_.divided(parts)](int) { return shorter.step(to); };
    });
    if (report.failed()) return report;
    to.forget();
    ++at_.divided;
    return report;
  }

  /// Steps to go until n is a multiple of `every`; 0 never counts down to 0.
  std::int64_t countdown(std::int64_t every) const { return every > 0 ? every - at_.n % every : 0; }

  SphereState<double> kinematics_of(const State& state) const {
    if constexpr (requires(const Step& s, const State& x) { s.kinematics(x); })
      return step_.kinematics(state);
    else
      return step_.observe(state);
  }
  SphereState<double> kinematics() const { return kinematics_of(at_.state); }

  /// One cheap sum that position and speed enter; the bound leaves room for their invariants. A
  /// potential of any formula may have no value where the state goes on.
  bool finite(const State& state) const {
    const SphereState<double> k = kinematics_of(state);
    double sum = k.q[0] + k.q[1] + k.q[2] + k.speed2;
    if constexpr (!UniformField<System>) sum += energy(system_, k);
    return abs(sum) <= 1e250;
  }

  void measure() {
    double values[Invariants::count];
    Invariants::evaluate(system_, kinematics(), values);
    at_.drift.add(static_cast<double>(at_.n), values);
    at_.measured_at = at_.n;
  }

  static std::vector<OutputField> state_fields() {
    std::vector<OutputField> fields = {{"q", 3, "1", "unit vector from the pivot to the bob", true},
                                       {"omega", 3, "rad/s", "angular velocity in space", true}};
    if constexpr (has_body) {
      fields.push_back({"Gamma", 3, "1", "vertical unit vector seen from the body"});
      fields.push_back({"Omega", 2, "rad/s", "angular velocity in the body"});
    }
    return fields;
  }

  void write_state(double* row) const {
    const SphereState<double> seen = step_.observe(at_.state);
    for (int c = 0; c < 3; ++c) {
      row[c] = seen.q[c];
      row[3 + c] = seen.omega[c];
    }
    if constexpr (has_body) {
      const Vec<double, 3> gamma = step_.Gamma(at_.state);
      const Vec<double, 2> omega = step_.Omega(at_.state);
      for (int c = 0; c < 3; ++c) row[6 + c] = gamma[c];
      for (int c = 0; c < 2; ++c) row[9 + c] = omega[c];
    }
  }

  System system_;
  Step step_;
  double h_;
  SolverOptions solver_;
  bool compensated_;
  std::int64_t measure_every_;
  Progress at_;
};

}  // namespace hamel
