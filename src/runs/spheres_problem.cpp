// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/spheres_problem.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/runs/spheres_methods.hpp"  // generated: AllSpheresMethods
#include "spheres_symplectic.hpp"
#include "spheres_view.hpp"
#include "stepped_simulation.hpp"
#include "stepper_choice.hpp"

namespace hamel {

namespace {

template <class S>
struct Start {
  std::vector<S> q, v;
};

/// The data in scalar S, on the spheres to its round-off: what double data mean. Data that were
/// kept off them on purpose stay as they are.
template <class S>
Start<S> refined(const SpheresStart& given) {
  Start<S> start{{given.q.begin(), given.q.end()}, {given.v.begin(), given.v.end()}};
  if constexpr (!std::same_as<S, double>) {
    for (int i = 0; i < static_cast<int>(given.q.size() / 3); ++i) {
      const Vec<S, 3> q = vec_at(start.q.data(), i);
      if (!(abs(length_defect(q)) <= S(1e-12))) continue;
      put(start.q.data(), i, normalised(q));
      put(start.v.data(), i, tangent_part(normalised(q), vec_at(start.v.data(), i)));
    }
  }
  return start;
}

/// Throws where the formulas make no sense at the start: not finite, inertia not positive definite.
void check_formulas(const SpheresFormulas& f, const SpheresStart& start) {
  std::vector<double> in = start.q;
  in.insert(in.end(), start.v.begin(), start.v.end());
  in.push_back(0.0);
  Expressions inputs = f.q;
  inputs.insert(inputs.end(), f.v.begin(), f.v.end());
  inputs.push_back(f.t);
  Expressions outputs = {f.lagrangian};
  const Expressions slope = gradient(f.lagrangian, f.q);
  outputs.insert(outputs.end(), slope.begin(), slope.end());
  outputs.insert(outputs.end(), f.force.begin(), f.force.end());
  const std::size_t checked = outputs.size();
  for (const auto& row : f.inertia) outputs.insert(outputs.end(), row.begin(), row.end());
  std::vector<double> out(outputs.size());
  Evaluator<double>(Program(inputs, outputs))(in.data(), out.data());
  if (!all_finite(out))
    throw InputError("the equations of motion are not finite at the initial state");
  if (!f.quadratic()) return;
  const int row = first_indefinite(out.data() + checked, f.spheres());
  if (row >= 0)
    throw InputError("the inertia is not positive definite at the initial state: the rows up to " +
                     std::to_string(row + 1) + " (sphere " +
                     f.names[static_cast<std::size_t>(row)] + ") are not");
}

/// ω_i of q̇_i, which is normal to q_i.
template <class S>
void to_omega(const S* q, const S* v, int n, S* omega) {
  for (int i = 0; i < n; ++i) {
    const Vec<S, 3> qi = vec_at(q, i);
    put(omega, i, (S(1.0) / norm2(qi)) * cross(qi, vec_at(v, i)));
  }
}

/// A stepper as a map of (q, ω).
template <class S>
class SpheresStepMap final : public StepMap<S> {
 public:
  SpheresStepMap(std::unique_ptr<Stepper<S>> stepper, int n, S h)
      : stepper_(std::move(stepper)), n_(n), q_(static_cast<std::size_t>(3 * n)), v_(q_), h_(h) {}

  bool operator()(const std::vector<S>& from, std::vector<S>& to) override {
    const S* omega = from.data() + q_.size();
    for (int i = 0; i < n_; ++i) {
      put(q_.data(), i, vec_at(from.data(), i));
      put(v_.data(), i, cross(vec_at(omega, i), vec_at(from.data(), i)));
    }
    if (!stepper_->start(q_, v_, h_, state_) || stepper_->step(state_, S(0), h_).failed() ||
        !stepper_->observe(state_, h_, h_, to.data(), v_.data()))
      return false;
    to_omega(to.data(), v_.data(), n_, to.data() + q_.size());
    return true;
  }

  bool resize(S h) override {
    h_ = h;
    return true;
  }

 private:
  std::unique_ptr<Stepper<S>> stepper_;
  StepperState<S> state_;
  int n_;
  std::vector<S> q_, v_;
  S h_;
};

class SpheresProblem final : public Problem {
 public:
  SpheresProblem(SpheresModel model, SpheresStart start)
      : model_(std::move(model)), start_(std::move(start)) {
    pendulum_ = pendulum_observation(model_);
    if (!model_.chain && !pendulum_) check_formulas(*model_.formulas(), start_);
    symmetry_ = rotation_symmetry(model_);
    const char* names[] = {"momentum_x", "momentum_y", "momentum_z"};
    for (int c = 0; c < 3; ++c)
      if (symmetry_.about[c]) momenta_.emplace_back(names[c]);
  }

  std::unique_ptr<Problem> from(int form, const InitialValues& values,
                                const NamedNumbers&) const override {
    std::vector<std::string> notes;
    auto other = std::make_unique<SpheresProblem>(*this);
    other->start_ = spheres_start(model_.n, form, values, notes);
    return other;
  }
  bool restart(Simulation& simulation) const override {
    dynamic_cast<SteppedSimulation&>(simulation).restart({start_.q, start_.v});
    return true;
  }

  std::unique_ptr<Simulation> simulate(const MethodSpec& spec,
                                       const IntegrationOptions& options) const override {
    // Looking at a state costs a third of a variational step, more of a closed one, and little of
    // others.
    const bool cheap = spec.composition == Composition::none &&
                       (spec.name == "variational" || (spec.name == "hamel" && model_.pendulum));
    return std::make_unique<SteppedSimulation>(
        std::make_unique<SpheresView>(model_, symmetry_, pendulum_), stepper<double>(spec, options),
        StartValues{start_.q, start_.v}, options.step, cheap ? 16 : 4);
  }

  Claims claims(const MethodSpec& spec) const override {
    return with_chosen_method<AllSpheresMethods>(model_, spec, [&](const auto& method) {
      Claims claims = method.claims(model_, momenta_);
      refuse_composition(spec, claims);
      return spec.composition == Composition::none ? claims
                                                   : composed(std::move(claims), spec.composition);
    });
  }

  EndPoint end_point(const MethodSpec& spec, const IntegrationOptions& options, double until,
                     std::int64_t steps, Precision precision) const override {
    switch (precision) {
      case Precision::quad: return end_as<Quad>(spec, options, until, steps);
      case Precision::long_double: return end_as<long double>(spec, options, until, steps);
      default: return end_as<double>(spec, options, until, steps);
    }
  }

  double reversal_defect(const MethodSpec& spec, const IntegrationOptions& options,
                         std::int64_t steps) const override {
    return reversal_defect_of(*stepper<Quad>(spec, options), refined<Quad>(start_).q,
                              refined<Quad>(start_).v, options.step, steps);
  }

  std::optional<double> symplectic_defect(const MethodSpec& spec,
                                          const IntegrationOptions& options) const override {
    const auto inertia = symplectic_inertia(model_);
    if (!inertia) return std::nullopt;
    const Start<Quad> start = refined<Quad>(start_);
    return spheres_symplectic_defect(*inertia, *stepper<Quad>(spec, options), start.q, start.v,
                                     options.step);
  }

  PhaseSpace phase_space() const override {
    const Start<Quad> start = refined<Quad>(start_);
    PhaseSpace space;
    space.spheres = model_.n;
    space.start = start.q;
    space.start.resize(2 * start.q.size());
    to_omega(start.q.data(), start.v.data(), model_.n, space.start.data() + start.q.size());
    const auto timeless = [](const SpheresFormulas& f) {
      return !depends_on(f.lagrangian, {&f.t, 1}) &&
             std::ranges::none_of(f.force, [&](const auto& x) {
               return depends_on(x, {&f.t, 1});
             });
    };
    space.autonomous = model_.chain ? !model_.chain->drive : timeless(*model_.formulas());
    return space;
  }

  InvariantMap invariant_map() const override {
    const auto map = viewed(std::make_shared<SpheresView>(model_, symmetry_, pendulum_),
                            stepper<double>(MethodSpec::parse("rk4"), {}), start_.q.size());
    const auto infos = spheres_invariants(model_);
    const auto tangency = static_cast<std::size_t>(
        std::ranges::find(infos, "tangency", &InvariantInfo::name) - infos.begin());
    return
        [map, tangency, n = model_.n](const std::vector<double>& z, std::vector<double>& values) {
          std::vector<double> with_velocities = z;
          const std::size_t half = z.size() / 2;
          double off = 0.0;  // ω along q is no motion on the sphere, and the stepper drops it
          for (int i = 0; i < n; ++i) {
            const auto q = vec_at(z.data(), i);
            const auto omega = vec_at(z.data() + half, i);
            put(with_velocities.data() + half, i, cross(omega, q));
            off = std::max(off, std::fabs(dot(omega, q)));
          }
          if (!map(with_velocities, values)) return false;
          if (tangency < values.size()) values[tangency] = off;
          return true;
        };
  }

  std::unique_ptr<StepMap<double>> step_map(const MethodSpec& spec,
                                            const IntegrationOptions& options) const override {
    return std::make_unique<SpheresStepMap<double>>(stepper<double>(spec, options), model_.n,
                                                    options.step);
  }
  std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec& spec,
                                               const IntegrationOptions& options) const override {
    return std::make_unique<SpheresStepMap<Quad>>(stepper<Quad>(spec, options), model_.n,
                                                  Quad(options.step));
  }

  std::optional<EndPoint> exact(Quad) const override { return std::nullopt; }

  std::vector<double> link_lengths() const override {
    return model_.chain ? model_.chain->lengths : std::vector<double>{};
  }

 private:
  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const MethodSpec& spec,
                                      const IntegrationOptions& options) const {
    return with_chosen_method<AllSpheresMethods>(
        model_, spec, [&](const auto& method) -> std::unique_ptr<Stepper<S>> {
          refuse_composition(spec, method.claims(model_, momenta_));
          return stepper_of<S>(method, model_, spec, options);
        });
  }

  template <class S>
  EndPoint end_as(const MethodSpec& spec, const IntegrationOptions& options, double until,
                  std::int64_t steps) const {
    const auto stepper = this->stepper<S>(spec, options);
    const S h = S(until) / S(static_cast<double>(steps));
    const Start<S> start = refined<S>(start_);
    StepperState<S> state;
    EndPoint end;
    if (!stepper->start(start.q, start.v, h, state)) {
      end.status = Status::no_solution;
      return end;
    }
    const auto time = [&] { return S(static_cast<double>(end.steps)) * h; };
    march(*stepper, state, h, steps, options, end);
    std::vector<S> q(start.q.size());
    std::vector<S> v(start.v.size());
    stepper->observe(state, time(), h, q.data(), v.data());
    std::vector<S> omega(v.size());
    to_omega(q.data(), v.data(), model_.n, omega.data());
    end.q.assign(q.begin(), q.end());
    end.velocity.assign(omega.begin(), omega.end());
    return end;
  }

  SpheresModel model_;
  RotationSymmetry symmetry_;
  std::optional<PendulumObservation> pendulum_;
  SpheresStart start_;
  Names momenta_;
};

}  // namespace

std::unique_ptr<Problem> make_spheres_problem(SpheresModel model, SpheresStart start) {
  return std::make_unique<SpheresProblem>(std::move(model), std::move(start));
}

std::vector<InvariantInfo> spheres_invariants(const SpheresModel& model) {
  return SpheresView(model, rotation_symmetry(model), pendulum_observation(model)).invariants();
}

std::vector<MethodInfo> spheres_methods(const SpheresModel& model) {
  return fitting_methods<AllSpheresMethods>(model);
}

}  // namespace hamel
