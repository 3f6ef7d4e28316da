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

  std::unique_ptr<Simulation> simulate(const MethodSpec& spec,
                                       const IntegrationOptions& options) const override {
    // Looking at a state costs a third of a variational step, and little of others.
    const bool cheap = spec.composition == Composition::none && spec.name == "variational";
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
    const auto stepper = built<double>(spec, options);
    StepperState<double> state;
    const double h = options.step;
    if (!stepper->start(start_.q, start_.v, h, state)) return HUGE_VAL;
    const std::vector<double> begin = state.z;
    const auto go = [&](double size, double from) {
      state.forget();
      for (std::int64_t n = 0; n < steps; ++n)
        if (stepper->step(state, from + static_cast<double>(n) * size, size).failed()) return false;
      return true;
    };
    if (!go(h, 0.0) || !go(-h, static_cast<double>(steps) * h)) return HUGE_VAL;
    double sum = 0.0;
    for (std::size_t i = 0; i < begin.size(); ++i)
      sum += (state.z[i] - begin[i]) * (state.z[i] - begin[i]);
    return std::sqrt(sum);
  }

  std::optional<double> symplectic_defect(const MethodSpec& spec,
                                          const IntegrationOptions& options) const override;

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
    for (int i = 0; i < model_.n; ++i) {
      const Vec<S, 3> qi = vec_at(q.data(), i);
      const Vec<S, 3> omega = (S(1.0) / norm2(qi)) * cross(qi, vec_at(v.data(), i));
      for (int c = 0; c < 3; ++c) {
        end.q.push_back(Quad(qi[c]));
        end.velocity.push_back(Quad(omega[c]));
      }
    }
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

/// Central differences in Quad of the map on (q, μ), μ_i = P_i Σ m_ij q̇_j, in a basis of the
/// tangent space of T*(S²)ⁿ; the form is Σ dq_i ∧ dμ_i.
std::optional<double> SpheresProblem::symplectic_defect(const MethodSpec& spec,
                                                        const IntegrationOptions& options) const {
  constexpr int most = 4;  // 4n columns, each two steps in Quad
  if (model_.n > most || model_.forced()) return std::nullopt;
  const auto m = inertia_matrix(model_);
  if (!m) return std::nullopt;
  const int n = model_.n;
  const int N = 3 * n;
  const auto stepper = built<Quad>(spec, options);
  const Quad h = options.step;
  using V3 = Vec<Quad, 3>;
  const auto entry = [&](int i, int j) { return (*m)[static_cast<std::size_t>(i * n + j)]; };
  const auto momentum = [&](const std::vector<Quad>& q, const std::vector<Quad>& v) {
    std::vector<Quad> mu(static_cast<std::size_t>(N));
    for (int i = 0; i < n; ++i) {
      V3 sum{};
      for (int j = 0; j < n; ++j) sum = sum + entry(i, j) * vec_at(v.data(), j);
      put(mu.data(), i, tangent_part(vec_at(q.data(), i), sum));
    }
    return mu;
  };
  // q̇ of μ: P_i Σ m_ij P_j q̇_j + q_i(q_i·q̇_i) = μ_i.
  const auto velocity = [&](const std::vector<Quad>& q, const std::vector<Quad>& mu) {
    std::vector<Quad> a(static_cast<std::size_t>(N * N));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int c = 0; c < 3; ++c) {
          V3 unit{};
          unit[c] = 1;
          const V3 qi = vec_at(q.data(), i);
          V3 column = entry(i, j) * tangent_part(qi, tangent_part(vec_at(q.data(), j), unit));
          if (i == j) column = column + dot(qi, unit) * qi;
          for (int r = 0; r < 3; ++r)
            a[static_cast<std::size_t>((3 * i + r) * N + 3 * j + c)] = column[r];
        }
    std::vector<Quad> v = mu;
    std::vector<int> pivot(static_cast<std::size_t>(N));
    lu_factor(a.data(), N, pivot.data());
    lu_solve(a.data(), N, pivot.data(), v.data());
    return v;
  };
  struct Point {
    std::vector<Quad> q, mu;
  };
  bool defined = true;
  const auto image = [&](const Point& from) {
    StepperState<Quad> state;
    Point to{from.q, from.mu};
    std::vector<Quad> v = velocity(from.q, from.mu);
    defined = defined && stepper->start(from.q, v, h, state) &&
              !stepper->step(state, Quad(0), h).failed() &&
              stepper->observe(state, h, h, to.q.data(), v.data());
    to.mu = momentum(to.q, v);
    return to;
  };
  const Start<Quad> start = refined<Quad>(start_);
  const Point base{start.q, momentum(start.q, start.v)};
  // Moves: sphere i along tangent direction e (position or momentum), staying on T*(S²)ⁿ.
  const auto moved = [&](int move, const Quad& by) {
    const int i = move / 4;
    const V3 q = vec_at(base.q.data(), i);
    const V3 first = normalised(cross(q, abs(q[0]) < Quad(0.6) ? V3{{1, 0, 0}} : V3{{0, 1, 0}}));
    const V3 e = move % 2 == 0 ? first : cross(q, first);
    Point to = base;
    if (move % 4 < 2) {
      const V3 turned = normalised(q + by * e);
      put(to.q.data(), i, turned);
      put(to.mu.data(), i, tangent_part(turned, vec_at(base.mu.data(), i)));
    } else {
      put(to.mu.data(), i, vec_at(base.mu.data(), i) + by * e);
    }
    return to;
  };
  const Quad d = 1e-10;
  const auto difference = [&](const Point& a, const Point& b) {
    std::vector<Quad> column;
    for (std::size_t c = 0; c < a.q.size(); ++c) column.push_back((a.q[c] - b.q[c]) / (2 * d));
    for (std::size_t c = 0; c < a.mu.size(); ++c) column.push_back((a.mu[c] - b.mu[c]) / (2 * d));
    return column;
  };
  std::vector<std::vector<Quad>> before;
  std::vector<std::vector<Quad>> after;
  for (int move = 0; move < 4 * n; ++move) {
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
