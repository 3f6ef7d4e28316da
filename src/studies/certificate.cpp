// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "hamel/stepping/composition.hpp"
#include "watched_run.hpp"

namespace hamel {

namespace {

constexpr double eps = 2.220446049250313e-16;
constexpr double eps_quad = 1.93e-34;
constexpr std::int64_t reversal_steps = 100;
constexpr std::int64_t chord_steps = 1000;
constexpr int largest_reduced_space = 16;  // dimensions; the cost grows with their cube
constexpr int doublings = 4;  // of the step, to tell what is kept from what is accurate
constexpr int coarser = 1 << (doublings - 1);  // … of one for equilibria
constexpr const char* accurate = "within the bound at this step, not at larger ones";
constexpr const char* at_its_tolerance = "as good as its tolerance";

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

int parts_of(Composition c) {
  constexpr int parts[] = {1, 5, 9, 17};
  return parts[static_cast<int>(c)];
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

  /// within: the bound, at the step of the options; a measurement that is not a number is not. What
  /// is so without being claimed counts as kept only where it is at larger steps too, as far as
  /// those can be made: `measured` at twice the step and so on, NaN where it cannot.
  template <class Measured>
  void judge(ClaimResult& result, bool within, const Measured& measured) const {
    result.verdict = result.claimed ? (within ? Verdict::holds : Verdict::fails)
                                    : (within ? Verdict::beyond : Verdict::not_claimed);
    if (result.verdict != Verdict::beyond) return;
    if (claims_.adaptive) merely(result, at_its_tolerance);
    if (claims_.adaptive || claims_.order == 0) return;  // 0: the closed solution
    for (int k = 1; k <= doublings && !stopped(); ++k) {
      IntegrationOptions options = options_;
      options.step = std::ldexp(options_.step, k);
      const double there = measured(options);
      if (!std::isfinite(there)) return;
      if (there <= result.bound) continue;
      merely(result, accurate);
      return;
    }
  }
  static void merely(ClaimResult& result, const char* why) {
    result.verdict = Verdict::not_claimed;
    result.detail += (result.detail.empty() ? "" : "; ") + std::string(why);
    result.brief = "falls with h";
  }

  /// Over the same time with larger steps; made once for all invariants.
  const WatchedRun& coarse_run(const IntegrationOptions& options) const {
    WatchedRun& run = coarse_[options.step];
    if (run.drifts.empty()) {
      const double steps =
          std::ceil(static_cast<double>(plan_.steps) * options_.step / options.step);
      run = watch(problem_, method_, options, static_cast<std::int64_t>(steps), false);
    }
    return run;
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
    const ConvergenceStudy study = settled_study(*plan_.reference);
    const OrderFit& fit = study.fit;
    if (!fit.valid()) {
      // Runs that failed, all errors below round-off, or errors that follow no law.
      result.verdict = study.status != Status::ok ? Verdict::fails
                       : fit.above >= 3           ? Verdict::not_settled
                                                  : Verdict::not_measured;
      result.detail = study.status != Status::ok
                          ? std::string("runs failed: ") + to_string(study.status)
                      : fit.above >= 3 ? "errors do not fall with the step"
                                       : "too few errors above round-off";
      if (!study.given_up.empty()) result.detail += "; " + study.given_up;
      result.measured = result.standard_error = result.bound = NAN;
      return;
    }
    const double wide = claims_.order > 8 ? 0.25 : 0.1;
    const double tolerance = std::min(0.5, std::max(wide, 3.0 * fit.standard_error));
    result.measured = fit.order;
    result.standard_error = fit.standard_error;
    result.settled = study.settled();
    result.bound = claims_.order - tolerance;
    result.formula = text("order - max(%g, 3 s.e.)", wide);
    result.verdict = result.measured >= result.bound ? Verdict::holds
                     : result.settled                ? Verdict::fails
                                                     : Verdict::not_settled;
    result.detail = text("%d steps from %.3g to %.3g s%s", fit.points, study.steps.front(),
                         study.steps.back(), study.quad ? ", in quadruple precision" : "");
    if (result.measured > claims_.order + 0.5) result.detail += "; higher than claimed here";
    if (result.verdict == Verdict::not_settled) {
      result.brief = "slopes still change";
      result.detail += text("; slopes between neighbours differ by %.2g", fit.spread);
    }
    if (!study.given_up.empty()) result.detail += "; " + study.given_up;
  }

  /// With smaller steps where the slopes of an order that is too low have not settled.
  ConvergenceStudy settled_study(const EndPoint& reference) const {
    ConvergencePlan plan = plan_.convergence;
    for (int attempt = 0;; ++attempt) {
      ConvergenceStudy study = measure_order(problem_, method_, options_, plan, reference);
      const bool decided = !study.fit.valid() || study.settled() ||
                           study.fit.order >= claims_.order - 0.1 || study.status != Status::ok;
      if (decided || claims_.order > 8 || attempt == 2 || stopped()) return study;
      plan.step /= 4.0;
    }
  }

  void time_symmetry() {
    ClaimResult& result = add("time_symmetry", claims_.time_symmetry);
    if (claims_.order == 0) {
      result.detail = claims_.adaptive ? "chooses its own steps" : "the closed solution";
      return;
    }
    const auto defect = [&](const IntegrationOptions& options) {
      return problem_.reversal_defect(method_, options, reversal_steps);
    };
    result.measured = defect(options_);
    result.bound = std::ldexp(eps_quad, 40) * static_cast<double>(reversal_steps);
    result.formula = text("2^40 eps_quad n, n = %d", static_cast<int>(reversal_steps));
    result.detail =
        text("%d steps forth and back, in quadruple precision", static_cast<int>(reversal_steps));
    judge(result, result.measured <= result.bound, defect);
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
    judge(result, within, [&](const IntegrationOptions& options) {
      return problem_.symplectic_defect(method_, options).value_or(NAN);
    });
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
    WatchedRun other;
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
      judge(result, within, [&](const IntegrationOptions& options) {
        const WatchedRun& run = coarse_run(options);
        return run.status == Status::ok ? run.drifts[i].max_drift : NAN;
      });
      if (!drift.info.not_kept.empty() && !result.claimed) {
        result.verdict = Verdict::not_claimed;
        result.brief = result.detail = "not kept: " + std::string(drift.info.not_kept);
      }
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
        result.source = grown >= 30.0                                      ? DriftSource::solver
                        : within && result.verdict != Verdict::not_claimed ? DriftSource::round_off
                                                                           : DriftSource::method;
      if (seen_.status != Status::ok)
        result.detail = text("the run stopped after %lld steps: %s",
                             static_cast<long long>(seen_.steps), to_string(seen_.status));
    }
  }

  void constraint() {
    const auto defect_at = [&](const IntegrationOptions& options) {
      return problem_.chord_defect(method_, options, std::min(chord_steps, plan_.steps));
    };
    std::optional<double> defect;
    try {
      defect = defect_at(options_);
    } catch (const InputError&) {
      return;  // cannot be written as one-forms: nothing to measure
    }
    if (!defect) return;
    ClaimResult& result = add("constraint", claims_.constraint);
    result.measured = *defect;
    result.bound = 16.0 * eps * (1.0 + seen_.largest_q / options_.step);
    result.formula = text("16 eps (1 + |q|/h), |q| = %.3g", seen_.largest_q);
    result.detail = "of the chord of a step, at its middle";
    judge(result, result.measured <= result.bound,
          [&](const IntegrationOptions& options) { return defect_at(options).value_or(NAN); });
  }

  void equilibria() {
    if (!plan_.equilibrium) return;
    const EquilibriumToCertify& at = *plan_.equilibrium;
    const auto of_method = [&](const std::vector<MethodAtEquilibrium>& methods) {
      return std::ranges::find(methods, method_.text, &MethodAtEquilibrium::method);
    };
    const auto found = of_method(at.methods);
    if (found == at.methods.end()) return;
    ClaimResult& result = add("equilibria", false);
    if (!found->failure.empty()) {
      result.detail = found->failure;
      return;
    }
    double square = 0.0;
    for (const auto* part : {&at.q, &at.velocity})
      for (const double x : *part) square += x * x;
    const double size = std::sqrt(square);
    result.unit = "1/s";
    result.measured = found->defect;
    result.bound = std::ldexp(eps_quad, 40) * (1.0 + size) / options_.step;
    result.formula = text("2^40 eps_quad (1 + |z|)/h, |z| = %.3g", size);
    const bool kept = result.measured <= result.bound;
    // One at rest is easily kept: rk4 does.
    const bool rests =
        std::ranges::all_of(at.velocity, [](double v) { return std::fabs(v) < 1e-12; });
    result.verdict = kept ? Verdict::beyond : Verdict::not_claimed;
    const auto coarse = of_method(at.coarse);
    if (kept && !rests && coarse != at.coarse.end() && coarse->failure.empty() &&
        !(coarse->defect <= result.bound)) {
      result.verdict = Verdict::not_claimed;
      result.detail = accurate;
    } else if (kept) {
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
  WatchedRun seen_;
  mutable std::map<double, WatchedRun> coarse_;  // by their steps
  Certificate certificate_;
};

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::beyond: return "beyond the claim";
    case Verdict::not_claimed: return "not claimed";
    case Verdict::not_settled: return "not settled";
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

std::optional<EquilibriumToCertify> equilibrium_to_certify(const Problem& problem, double step,
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
    EquilibriumToCertify found{finder.find(finder.start()), {}};
    finder.study(found, fixed_steps);
    EquilibriumFinder with_larger_steps(problem, coarser * step);
    with_larger_steps.stop_when(stop);
    Equilibrium again = static_cast<const Equilibrium&>(found);
    with_larger_steps.study(again, fixed_steps);
    found.coarse = std::move(again.methods);
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
