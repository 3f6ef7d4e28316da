#include "hamel/simulation/spheres_problem.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/simulation/spheres_methods.hpp"  // generated: AllSpheresMethods
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
    if (!model_.chain) check_formulas(*model_.formulas(), start_);
    const RotationSymmetry symmetry = rotation_symmetry(model_);
    const char* names[] = {"momentum_x", "momentum_y", "momentum_z"};
    for (int c = 0; c < 3; ++c)
      if (symmetry.about[c]) momenta_.emplace_back(names[c]);
  }

  std::unique_ptr<Problem> from(int form, const InitialValues& values) const override {
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
    const auto lock = building();
    return std::make_unique<SteppedSimulation>(
        std::make_unique<SpheresView>(model_), stepper<double>(spec, options),
        StartValues{start_.q, start_.v}, options.step, cheap ? 16 : 4);
  }

  Claims claims(const MethodSpec& spec) const override {
    const auto lock = building();
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
    return reversal_defect_of(*built<Quad>(spec, options), refined<Quad>(start_).q,
                              refined<Quad>(start_).v, options.step, steps);
  }

  std::optional<double> symplectic_defect(const MethodSpec& spec,
                                          const IntegrationOptions& options) const override;

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
    const auto lock = building();  // another thread may be adding to the formulas' graph
    space.autonomous = model_.chain ? !model_.chain->drive : timeless(*model_.formulas());
    return space;
  }

  InvariantMap invariant_map() const override {
    const auto lock = building();
    const auto map = viewed(std::make_shared<SpheresView>(model_),
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
    return std::make_unique<SpheresStepMap<double>>(built<double>(spec, options), model_.n,
                                                    options.step);
  }
  std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec& spec,
                                               const IntegrationOptions& options) const override {
    return std::make_unique<SpheresStepMap<Quad>>(built<Quad>(spec, options), model_.n,
                                                  Quad(options.step));
  }

  std::optional<EndPoint> exact(Quad) const override { return std::nullopt; }

  std::vector<double> link_lengths() const override {
    return model_.chain ? model_.chain->lengths : std::vector<double>{};
  }

 private:
  template <class S>
  std::unique_ptr<Stepper<S>> built(const MethodSpec& spec,
                                    const IntegrationOptions& options) const {
    const auto lock = building();
    return stepper<S>(spec, options);
  }

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
    const auto stepper = built<S>(spec, options);
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
  SpheresStart start_;
  Names momenta_;
};

/// m_ij where it is constant.
std::optional<std::vector<Quad>> inertia_matrix(const SpheresModel& model) {
  const auto n = static_cast<std::size_t>(model.n);
  std::vector<Quad> m(n * n);
  if (model.chain) {
    const Chain& chain = *model.chain;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Quad below = 0;
        for (std::size_t k = std::max(i, j); k < n; ++k) below += Quad(chain.masses[k]);
        m[i * n + j] = below * Quad(chain.lengths[i]) * Quad(chain.lengths[j]);  // [MATH 6.2]
      }
    return m;
  }
  const SpheresFormulas& f = *model.formulas();
  if (!f.constant_inertia()) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Evaluator<Quad> value(Program({}, {&f.inertia[i][j], 1}));
      value(nullptr, &m[i * n + j]);
    }
  return m;
}

/// Central differences in Quad of the map on (q, μ), μ_i = P_i Σ m_ij q̇_j, along moves of (q, q̇) on
/// T(S²)ⁿ; the form is Σ dq_i ∧ dμ_i. Of long chains some spheres are moved, evenly spread.
std::optional<double> SpheresProblem::symplectic_defect(const MethodSpec& spec,
                                                        const IntegrationOptions& options) const {
  constexpr int most = 300;  // spheres: their dense inertia is used
  constexpr int most_moved = 8;
  if (model_.n > most || model_.forced()) return std::nullopt;
  const auto m = inertia_matrix(model_);
  if (!m) return std::nullopt;
  const int n = model_.n;
  const int N = 3 * n;
  const auto stepper = built<Quad>(spec, options);
  const Quad h = options.step;
  using V3 = Vec<Quad, 3>;
  const auto entry = [&](int i, int j) { return (*m)[static_cast<std::size_t>(i * n + j)]; };
  struct Point {
    std::vector<Quad> q, v;
  };
  const auto momentum = [&](const Point& at) {
    std::vector<Quad> mu(static_cast<std::size_t>(N));
    for (int i = 0; i < n; ++i) {
      V3 sum{};
      for (int j = 0; j < n; ++j) sum = sum + entry(i, j) * vec_at(at.v.data(), j);
      put(mu.data(), i, tangent_part(vec_at(at.q.data(), i), sum));
    }
    return mu;
  };
  bool defined = true;
  const auto image = [&](const Point& from) {
    StepperState<Quad> state;
    Point to = from;
    defined = defined && stepper->start(from.q, from.v, h, state) &&
              !stepper->step(state, Quad(0), h).failed() &&
              stepper->observe(state, h, h, to.q.data(), to.v.data());
    return to;
  };
  const Start<Quad> start = refined<Quad>(start_);
  const Point base{start.q, start.v};
  const int moved_count = std::min(n, most_moved);
  // Moves: a sphere along tangent direction e (position or velocity), staying on T(S²)ⁿ.
  const auto moved = [&](int move, const Quad& by) {
    const int i = moved_count == 1 ? 0 : move / 4 * (n - 1) / (moved_count - 1);
    const V3 q = vec_at(base.q.data(), i);
    const V3 first = normalised(cross(q, abs(q[0]) < Quad(0.6) ? V3{{1, 0, 0}} : V3{{0, 1, 0}}));
    const V3 e = move % 2 == 0 ? first : cross(q, first);
    Point to = base;
    if (move % 4 < 2) {
      const V3 turned = normalised(q + by * e);
      put(to.q.data(), i, turned);
      put(to.v.data(), i, tangent_part(turned, vec_at(base.v.data(), i)));
    } else {
      put(to.v.data(), i, vec_at(base.v.data(), i) + by * e);
    }
    return to;
  };
  const Quad d = 1e-10;
  const auto difference = [&](const Point& a, const Point& b) {
    std::vector<Quad> column;
    const std::vector<Quad> mu_a = momentum(a);
    const std::vector<Quad> mu_b = momentum(b);
    for (std::size_t c = 0; c < a.q.size(); ++c) column.push_back((a.q[c] - b.q[c]) / (2 * d));
    for (std::size_t c = 0; c < mu_a.size(); ++c) column.push_back((mu_a[c] - mu_b[c]) / (2 * d));
    return column;
  };
  std::vector<std::vector<Quad>> before;
  std::vector<std::vector<Quad>> after;
  for (int move = 0; move < 4 * moved_count; ++move) {
    const Point up = moved(move, d);
    const Point down = moved(move, -d);
    before.push_back(difference(up, down));
    after.push_back(difference(image(up), image(down)));
    if (!defined) return std::nullopt;
  }
  const auto form = [&](const std::vector<Quad>& a, const std::vector<Quad>& b) {
    Quad sum = 0;
    for (int c = 0; c < N; ++c) {
      const auto x = static_cast<std::size_t>(c);
      const auto y = static_cast<std::size_t>(N + c);
      sum += a[x] * b[y] - a[y] * b[x];
    }
    return sum;
  };
  Quad largest = 0;
  Quad scale = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Quad expected = form(before[i], before[j]);
      scale = max(scale, abs(expected));
      largest = max(largest, abs(form(after[i], after[j]) - expected));
    }
  return static_cast<double>(largest / scale);
}

}  // namespace

std::unique_ptr<Problem> make_spheres_problem(SpheresModel model, SpheresStart start) {
  return std::make_unique<SpheresProblem>(std::move(model), std::move(start));
}

std::vector<InvariantInfo> spheres_invariants(const SpheresModel& model) {
  return SpheresView(model).invariants();
}

std::vector<MethodInfo> spheres_methods(const SpheresModel& model) {
  return fitting_methods<AllSpheresMethods>(model);
}

}  // namespace hamel
