#include "hamel/simulation/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "hamel/integrators/support/composition.hpp"

namespace hamel {

namespace {

constexpr double eps = 2.220446049250313e-16;
constexpr double eps_quad = 1.93e-34;
constexpr std::int64_t samples = 4096;
constexpr std::int64_t looks = 64;  // at the sensitivity of the invariants
constexpr std::int64_t reversal_steps = 100;
constexpr std::int64_t chord_steps = 1000;
constexpr int largest_reduced_space = 16;  // dimensions; the cost grows with their cube

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

/// By measured and bound; a measurement that is not a number is not within it.
Verdict judged(bool claimed, bool within) {
  if (claimed) return within ? Verdict::holds : Verdict::fails;
  return within ? Verdict::beyond : Verdict::not_claimed;
}

int parts_of(Composition c) {
  constexpr int parts[] = {1, 5, 9, 17};
  return parts[static_cast<int>(c)];
}

/// (q, velocity) of a simulation; empty where it does not show them.
std::vector<double> phase_point(const Simulation& simulation) {
  std::vector<double> z;
  const auto take = [&](std::string_view name, const std::vector<NamedValues>& state) {
    for (const auto& part : state)
      if (part.field.name == name) z.insert(z.end(), part.values.begin(), part.values.end());
  };
  const auto state = simulation.state();
  take("q", state);
  take("omega", state);
  take("xi", state);
  return z;
}

/// Σ_i |z_i ∂I/∂z_i| of every invariant at z. Numbers that happen to be small count as large as
/// their part of z: they will not stay small.
void add_sensitivity(const InvariantMap& map, const std::vector<double>& z, std::size_t half,
                     std::vector<double>& scale) {
  std::vector<double> here;
  std::vector<double> there;
  if (z.empty() || !map(z, here)) return;
  std::vector<double> sum(here.size());
  std::vector<double> moved = z;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::size_t begin = i < half ? 0 : half;
    const std::size_t end = i < half ? half : z.size();
    double size = 0.0;
    for (std::size_t k = begin; k < end; ++k) size += z[k] * z[k];
    size = std::sqrt(size / static_cast<double>(end - begin));
    if (size == 0.0) continue;
    const double d = 1e-6 * size;
    for (const double by : {d, -d}) {
      moved[i] = z[i] + by;
      if (!map(moved, there)) continue;
      for (std::size_t k = 0; k < sum.size(); ++k)
        sum[k] += 0.5 * std::fabs(there[k] - here[k]) / d * std::max(size, std::fabs(z[i]));
    }
    moved[i] = z[i];
  }
  for (std::size_t k = 0; k < scale.size() && k < sum.size(); ++k)
    if (std::isfinite(sum[k])) scale[k] = std::max(scale[k], sum[k]);
}

/// One run with all its invariants watched.
struct Watched {
  Status status = Status::ok;
  std::int64_t steps = 0;
  std::vector<InvariantDrift> drifts;
  std::vector<std::vector<double>> changes;  ///< of each, at the samples
  std::int64_t every = 1;
  std::vector<double> scale;  ///< of each: its sensitivity
  double largest_q = 0.0;
  bool iterates = false;
};

Watched watch(const Problem& problem, const MethodSpec& method, const IntegrationOptions& options,
              std::int64_t steps, bool with_scale) {
  Watched seen;
  const auto simulation = problem.simulate(method, options);
  seen.drifts = simulation->invariants();
  seen.changes.resize(seen.drifts.size());
  seen.scale.assign(seen.drifts.size(), 0.0);
  seen.every = std::max<std::int64_t>(1, steps / samples);
  const auto columns = simulation->columns();
  std::vector<std::size_t> offsets;
  std::size_t offset = 0;
  for (const auto& column : columns) {
    if (column.path.starts_with("/invariants/")) offsets.push_back(offset);
    offset += static_cast<std::size_t>(column.width);
  }
  std::vector<double> row(static_cast<std::size_t>(simulation->row_width()));
  const InvariantMap map = with_scale ? problem.invariant_map() : InvariantMap{};
  const std::size_t coordinates = [&] {
    for (const auto& part : simulation->state())
      if (part.field.name == "q") return part.values.size();
    return std::size_t{0};
  }();
  const std::int64_t look_every = std::max<std::int64_t>(1, steps / seen.every / looks);
  const auto sample = [&](std::int64_t count) {
    simulation->write_row(row.data());
    for (std::size_t i = 0; i < offsets.size(); ++i)
      seen.changes[i].push_back(row[offsets[i]] - seen.drifts[i].initial);
    if (!with_scale || count % look_every != 0) return;
    const std::vector<double> z = phase_point(*simulation);
    for (std::size_t i = 0; i < coordinates; ++i)
      seen.largest_q = std::max(seen.largest_q, std::fabs(z[i]));
    add_sensitivity(map, z, coordinates, seen.scale);
  };
  sample(0);
  for (std::int64_t count = 1; simulation->step_count() < steps; ++count) {
    Block block;
    block.steps = std::min(seen.every, steps - simulation->step_count());
    block.measure_every = simulation->suggested_measure_every();
    seen.status = simulation->advance(block);
    if (seen.status == Status::ok && options.stop != nullptr && options.stop->load())
      seen.status = Status::interrupted;
    if (seen.status != Status::ok) break;
    sample(count);
  }
  seen.steps = simulation->step_count();
  seen.iterates = simulation->iterations_mean() > 0.0;
  seen.drifts = simulation->invariants();
  return seen;
}

class Certifier {
 public:
  Certifier(const Problem& problem, const MethodSpec& method, const IntegrationOptions& options,
            const CertificatePlan& plan)
      : problem_(problem),
        method_(method),
        options_(options),
        plan_(plan),
        claims_(problem.claims(method)) {}

  Certificate run() {
    Stopwatch watch;
    certificate_.method = method_.text;
    order();
    if (!stopped()) time_symmetry();
    if (!stopped()) symplectic();
    if (!stopped()) invariants();
    if (!stopped()) constraint();
    if (!stopped()) equilibria();
    certificate_.seconds = watch.seconds();
    return std::move(certificate_);
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  ClaimResult& add(std::string claim, bool claimed) {
    ClaimResult result;
    result.claim = std::move(claim);
    result.claimed = claimed;
    return certificate_.claims.emplace_back(std::move(result));
  }

  void order() {
    ClaimResult& result = add("order", claims_.order > 0);
    result.order = claims_.order;
    if (claims_.order == 0) {
      result.detail = claims_.adaptive ? "chooses its own steps" : "the closed solution";
      return;
    }
    if (!plan_.reference) {
      result.detail = "no reference solution";
      return;
    }
    const ConvergenceStudy study =
        measure_order(problem_, method_, options_, plan_.convergence, *plan_.reference);
    if (!study.fit.valid()) {
      // All errors below round-off, or runs that failed: the data do not decide.
      result.detail = study.status == Status::ok
                          ? "too few errors above round-off"
                          : std::string("runs failed: ") + to_string(study.status);
      if (study.status != Status::ok) result.verdict = Verdict::fails;
      return;
    }
    const double wide = claims_.order > 8 ? 0.25 : 0.1;
    const double tolerance = std::min(0.5, std::max(wide, 3.0 * study.fit.standard_error));
    result.measured = study.fit.order;
    result.standard_error = study.fit.standard_error;
    result.bound = claims_.order - tolerance;
    result.formula = text("order - max(%g, 3 s.e.)", wide);
    result.verdict = judged(true, result.measured >= result.bound);
    result.detail = text("%d steps from %.3g to %.3g s%s", study.fit.points, study.steps.front(),
                         study.steps.back(), study.quad ? ", in quadruple precision" : "");
    if (result.measured > claims_.order + 0.5) result.detail += "; higher than claimed here";
  }

  void time_symmetry() {
    ClaimResult& result = add("time_symmetry", claims_.time_symmetry);
    if (claims_.order == 0) {
      result.detail = claims_.adaptive ? "chooses its own steps" : "the closed solution";
      return;
    }
    result.measured = problem_.reversal_defect(method_, options_, reversal_steps);
    result.bound = std::ldexp(eps_quad, 40) * static_cast<double>(reversal_steps);
    result.formula = text("2^40 eps_quad n, n = %d", static_cast<int>(reversal_steps));
    result.verdict = judged(claims_.time_symmetry, result.measured <= result.bound);
    result.detail =
        text("%d steps forth and back, in quadruple precision", static_cast<int>(reversal_steps));
  }

  void symplectic() {
    ClaimResult& result = add("symplectic", claims_.symplectic);
    const auto defect = problem_.symplectic_defect(method_, options_);
    if (!defect) {
      result.detail = "not applicable: constraints, forces, or no step map";
      return;
    }
    result.measured = *defect;
    result.bound = 512.0 * eps;
    result.formula = "512 eps";
    const bool within = result.measured <= result.bound;
    result.verdict = judged(claims_.symplectic, within);
    if (within) return;
    // The power of h it goes with, from two halvings.
    double defects[3] = {*defect, 0.0, 0.0};
    for (int k = 1; k < 3; ++k) {
      IntegrationOptions finer = options_;
      finer.step = std::ldexp(options_.step, -k);
      defects[k] = problem_.symplectic_defect(method_, finer).value_or(0.0);
    }
    if (defects[2] > result.bound)
      result.detail = result.brief = text("falls as h^%.1f", std::log2(defects[1] / defects[2]));
  }

  void invariants() {
    seen_ = watch(problem_, method_, options_, plan_.steps, true);
    IntegrationOptions loose = options_;
    loose.solver.tolerance = 100.0 * options_.solver.effective<double>();
    Watched other;
    if (seen_.iterates && !stopped()) other = watch(problem_, method_, loose, plan_.steps, false);
    const double walk =
        4.0 * std::sqrt(static_cast<double>(parts_of(method_.composition)) *
                        static_cast<double>(std::max<std::int64_t>(1, seen_.steps)));
    for (std::size_t i = 0; i < seen_.drifts.size(); ++i) {
      const InvariantDrift& drift = seen_.drifts[i];
      ClaimResult& result = add("invariant:" + drift.info.name, claims_.keeps(drift.info.name));
      result.unit = drift.info.unit;
      result.measured = drift.max_drift;
      result.bound = eps * seen_.scale[i] * (16.0 + walk);
      result.formula = text("eps s (16 + 4 sqrt(kN)), s = %.3g, k = %d, N = %lld", seen_.scale[i],
                            parts_of(method_.composition), static_cast<long long>(seen_.steps));
      const bool within = seen_.status == Status::ok && result.measured <= result.bound;
      result.verdict = judged(result.claimed, within);
      Trend trend = trend_of(seen_.changes[i]);
      trend.slope /= static_cast<double>(seen_.every);
      trend.error /= static_cast<double>(seen_.every);
      result.trend = trend;
      double grown = 1.0;
      if (i < other.drifts.size() && other.status == Status::ok) {
        result.loosened = other.drifts[i].max_drift;
        grown = result.measured > 0.0 ? *result.loosened / result.measured
                                      : (*result.loosened > 0.0 ? HUGE_VAL : 1.0);
      }
      if (result.measured > 0.0)
        result.source = grown >= 30.0 ? DriftSource::solver
                        : within      ? DriftSource::round_off
                                      : DriftSource::method;
      if (seen_.status != Status::ok)
        result.detail = text("the run stopped after %lld steps: %s",
                             static_cast<long long>(seen_.steps), to_string(seen_.status));
    }
  }

  void constraint() {
    std::optional<double> defect;
    try {
      defect = problem_.chord_defect(method_, options_, std::min(chord_steps, plan_.steps));
    } catch (const InputError&) {
      return;  // cannot be written as one-forms: nothing to measure
    }
    if (!defect) return;
    ClaimResult& result = add("constraint", claims_.constraint);
    result.measured = *defect;
    result.bound = 16.0 * eps * (1.0 + seen_.largest_q / options_.step);
    result.formula = text("16 eps (1 + |q|/h), |q| = %.3g", seen_.largest_q);
    result.verdict = judged(claims_.constraint, result.measured <= result.bound);
  }

  void equilibria() {
    if (!plan_.equilibrium) return;
    const auto& methods = plan_.equilibrium->methods;
    const auto found = std::ranges::find(methods, method_.text, &MethodAtEquilibrium::method);
    if (found == methods.end()) return;
    ClaimResult& result = add("equilibria", false);
    if (!found->failure.empty()) {
      result.detail = found->failure;
      return;
    }
    double square = 0.0;
    for (const auto* part : {&plan_.equilibrium->q, &plan_.equilibrium->velocity})
      for (const double x : *part) square += x * x;
    const double size = std::sqrt(square);
    result.unit = "1/s";
    result.measured = found->defect;
    result.bound = std::ldexp(eps_quad, 40) * (1.0 + size) / options_.step;
    result.formula = text("2^40 eps_quad (1 + |z|)/h, |z| = %.3g", size);
    const bool kept = result.measured <= result.bound;
    result.verdict = judged(false, kept);
    if (kept) {
      // One at rest is easily kept: rk4 does.
      const bool rests = std::ranges::all_of(plan_.equilibrium->velocity,
                                             [](double v) { return std::fabs(v) < 1e-12; });
      result.detail = text("the one nearest to the initial state, %s, stays one",
                           rests ? "at rest" : "in motion");
    } else if (found->drift <= result.bound) {
      result.detail = text("has its own, %.1e away", found->shift);
      result.brief = "has its own";
    } else {
      result.detail = text("has none nearby: drifts with %.1e 1/s", found->drift);
      result.brief = "drifts";
    }
  }

  const Problem& problem_;
  const MethodSpec& method_;
  const IntegrationOptions& options_;
  const CertificatePlan& plan_;
  Claims claims_;
  Watched seen_;
  Certificate certificate_;
};

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::beyond: return "beyond the claim";
    case Verdict::not_claimed: return "not claimed";
    default: return "not measured";
  }
}

const char* to_string(DriftSource source) {
  switch (source) {
    case DriftSource::round_off: return "round-off";
    case DriftSource::solver: return "solver";
    case DriftSource::method: return "method";
    default: return "none";
  }
}

bool Certificate::fails() const {
  return std::ranges::any_of(claims,
                             [](const auto& claim) { return claim.verdict == Verdict::fails; });
}

std::optional<Equilibrium> equilibrium_to_certify(const Problem& problem, double step,
                                                  const std::vector<MethodSpec>& methods,
                                                  const std::atomic<bool>* stop) {
  if (!problem.phase_space().autonomous) return std::nullopt;
  try {
    EquilibriumFinder finder(problem, step);
    if (finder.space().dimension() > largest_reduced_space) return std::nullopt;
    finder.stop_when(stop);
    std::vector<MethodSpec> fixed_steps;
    for (const MethodSpec& method : methods)
      if (problem.claims(method).order > 0) fixed_steps.push_back(method);
    Equilibrium found = finder.find(finder.start());
    finder.study(found, fixed_steps);
    return found;
  } catch (const InputError&) {
    return std::nullopt;  // too large
  } catch (const NumericalError&) {
    return std::nullopt;  // there is none, or none was found
  }
}

Certificate certify(const Problem& problem, const MethodSpec& method,
                    const IntegrationOptions& options, const CertificatePlan& plan) {
  return Certifier(problem, method, options, plan).run();
}

}  // namespace hamel
