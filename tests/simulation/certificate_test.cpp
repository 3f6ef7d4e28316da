// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/certificate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hamel/catalogue/registry.hpp"

namespace hamel {
namespace {

/// A problem whose methods claim what the test wants them to.
class Lying final : public Problem {
 public:
  Lying(const Problem& truth, Claims claims) : truth_(truth), claims_(std::move(claims)) {}

  std::unique_ptr<Simulation> simulate(const MethodSpec& m,
                                       const IntegrationOptions& o) const override {
    return truth_.simulate(m, o);
  }
  Claims claims(const MethodSpec&) const override { return claims_; }
  EndPoint end_point(const MethodSpec& m, const IntegrationOptions& o, double until,
                     std::int64_t steps, Precision p) const override {
    return truth_.end_point(m, o, until, steps, p);
  }
  double reversal_defect(const MethodSpec& m, const IntegrationOptions& o,
                         std::int64_t steps) const override {
    return reversal ? *reversal : truth_.reversal_defect(m, o, steps);
  }
  std::optional<double> symplectic_defect(const MethodSpec& m,
                                          const IntegrationOptions& o) const override {
    return symplectic ? symplectic : truth_.symplectic_defect(m, o);
  }
  PhaseSpace phase_space() const override { return truth_.phase_space(); }
  InvariantMap invariant_map() const override { return truth_.invariant_map(); }
  std::unique_ptr<StepMap<double>> step_map(const MethodSpec& m,
                                            const IntegrationOptions& o) const override {
    return truth_.step_map(m, o);
  }
  std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec& m,
                                               const IntegrationOptions& o) const override {
    return truth_.step_map_quad(m, o);
  }
  std::optional<double> chord_defect(const MethodSpec& m, const IntegrationOptions& o,
                                     std::int64_t steps) const override {
    return chord ? chord : truth_.chord_defect(m, o, steps);
  }
  std::optional<EndPoint> exact(Quad t) const override { return truth_.exact(t); }

  std::optional<double> reversal, symplectic, chord;  ///< what is measured instead

 private:
  const Problem& truth_;
  Claims claims_;
};

struct Case {
  explicit Case(const std::string& system)
      : entry(registry.system(system)), problem(default_problem(entry)) {
    options.step = entry.default_step;
    plan.steps = 2000;
    plan.convergence = default_convergence_plan(options.step, 1e9);
    plan.reference = reference_end(*problem, plan.convergence.horizon);
  }
  Certificate of(const std::string& method) const {
    return certify(*problem, MethodSpec::parse(method), options, plan);
  }
  Certificate with(const std::string& method, const Claims& claims) const {
    return certify(Lying(*problem, claims), MethodSpec::parse(method), options, plan);
  }
  Claims claims(const std::string& method) const {
    return problem->claims(MethodSpec::parse(method));
  }

  Registry registry = builtin_registry();
  const SystemEntry& entry;
  std::unique_ptr<Problem> problem;
  IntegrationOptions options;
  CertificatePlan plan;
};

/// As formulas of bounds write a number.
std::string text_of(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

ClaimResult claim(const Certificate& certificate, const std::string& name) {
  const auto found = std::ranges::find(certificate.claims, name, &ClaimResult::claim);
  EXPECT_NE(found, certificate.claims.end()) << name;
  return found != certificate.claims.end() ? *found : ClaimResult{};
}

TEST(Certificate, TellsTheTruthAboutThePendulum) {
  const Case pendulum("spherical_pendulum");
  const Certificate hamel = pendulum.of("hamel");
  EXPECT_FALSE(hamel.fails());
  EXPECT_EQ(claim(hamel, "symplectic").verdict, Verdict::not_claimed);
  EXPECT_EQ(claim(hamel, "symplectic").detail, "falls as h^3.0");  // MATH 5.5
  EXPECT_EQ(claim(hamel, "invariant:energy").verdict, Verdict::holds);
  EXPECT_EQ(claim(hamel, "invariant:energy").source, DriftSource::round_off);
  EXPECT_EQ(claim(hamel, "time_symmetry").verdict, Verdict::holds);

  const Certificate variational = pendulum.of("variational");
  EXPECT_FALSE(variational.fails());
  EXPECT_EQ(claim(variational, "symplectic").verdict, Verdict::holds);
  const ClaimResult energy = claim(variational, "invariant:energy");
  EXPECT_EQ(energy.verdict, Verdict::not_claimed);
  EXPECT_EQ(energy.trend.value_or(Trend{}).kind, TrendKind::bounded);
  EXPECT_EQ(energy.source, DriftSource::method);

  const ClaimResult length = claim(pendulum.of("rk4"), "invariant:length");
  EXPECT_EQ(length.trend.value_or(Trend{}).kind, TrendKind::drifting);
}

// Accuracy is not preservation: gauss in (q, ω) is as good as symplectic at this step, and not at
// larger ones; in (q, π) it is symplectic at all of them.
TEST(Certificate, AccuracyIsNotPreservation) {
  Case pendulum("spherical_pendulum");
  pendulum.plan.steps = 500;
  const ClaimResult accurate = claim(pendulum.of("gauss"), "symplectic");
  EXPECT_LE(accurate.measured, accurate.bound);
  EXPECT_EQ(accurate.verdict, Verdict::not_claimed);

  pendulum.options.step = 0.005;
  for (const char* name : {"time_symmetry", "invariant:length", "invariant:momentum_z"}) {
    const ClaimResult small = claim(pendulum.of("rk4"), name);
    EXPECT_EQ(small.verdict, Verdict::not_claimed) << name;
  }
  const Certificate exact_by_design = pendulum.of("hamel(form=space)");
  EXPECT_EQ(claim(exact_by_design, "time_symmetry").verdict, Verdict::holds);

  Claims nothing;
  nothing.order = 2;
  for (const char* name : {"time_symmetry", "invariant:energy", "invariant:length"})
    EXPECT_EQ(claim(pendulum.with("hamel", nothing), name).verdict, Verdict::beyond) << name;
}

// Above order 8 the slopes have not settled where Quad ends; that is no false claim.
TEST(Certificate, AnOrderFailsOnlyWhereItsSlopesAgree) {
  OrderFit fit;
  fit.points = 5;
  fit.order = 15.726;
  fit.spread = 0.135;
  EXPECT_FALSE(fit.settled(16));
  fit.order = 14.02;
  fit.spread = 0.2;
  EXPECT_TRUE(fit.settled(16));
  fit.order = 1.93;
  fit.spread = 0.09;
  EXPECT_TRUE(fit.settled(2));
  fit.points = 2;
  EXPECT_FALSE(fit.settled(2));
}

TEST(Certificate, FalseClaimsAreCaught) {
  const Case pendulum("spherical_pendulum");
  Claims claims = pendulum.claims("variational");
  claims.invariants.emplace_back("energy");
  EXPECT_EQ(claim(pendulum.with("variational", claims), "invariant:energy").verdict,
            Verdict::fails);

  claims = pendulum.claims("hamel");
  claims.symplectic = true;
  claims.order = 3;
  const Certificate hamel = pendulum.with("hamel", claims);
  EXPECT_EQ(claim(hamel, "symplectic").verdict, Verdict::fails);
  EXPECT_EQ(claim(hamel, "order").verdict, Verdict::fails);
  EXPECT_TRUE(hamel.fails());

  claims = pendulum.claims("rk4");
  claims.time_symmetry = true;
  claims.invariants = {"length"};
  const Certificate rk4 = pendulum.with("rk4", claims);
  EXPECT_EQ(claim(rk4, "time_symmetry").verdict, Verdict::fails);
  EXPECT_EQ(claim(rk4, "invariant:length").verdict, Verdict::fails);

  const Case sleigh("chaplygin_sleigh");
  EXPECT_EQ(claim(sleigh.of("hamel"), "constraint").verdict, Verdict::holds);
  EXPECT_EQ(claim(sleigh.of("dla"), "constraint").verdict, Verdict::holds);
  EXPECT_EQ(claim(sleigh.of("hamel"), "symplectic").verdict, Verdict::not_measured);
  claims = sleigh.claims("rk4");
  claims.constraint = true;
  EXPECT_EQ(claim(sleigh.with("rk4", claims), "constraint").verdict, Verdict::fails);
}

// The bounds are those that the table of certificate.hpp states; what is just above one fails, what
// is just below holds.
TEST(Certificate, BoundsAreThoseOfTheTable) {
  constexpr double eps = 0x1p-52;
  constexpr double eps_quad = 0x1p-112;
  const Case pendulum("spherical_pendulum");
  const Case sleigh("chaplygin_sleigh");
  const MethodSpec hamel = MethodSpec::parse("hamel");
  for (const bool above : {false, true}) {
    const double by = above ? 1.01 : 0.99;
    const Verdict expected = above ? Verdict::fails : Verdict::holds;
    Claims claims = pendulum.claims("hamel");
    claims.time_symmetry = claims.symplectic = true;
    Lying lying(*pendulum.problem, claims);
    lying.reversal = by * std::ldexp(eps_quad, 40) * 100.0;
    lying.symplectic = by * 512.0 * eps;
    CertificatePlan plan = pendulum.plan;
    plan.reference.reset();
    const Certificate found = certify(lying, hamel, pendulum.options, plan);
    EXPECT_EQ(claim(found, "time_symmetry").verdict, expected);
    EXPECT_EQ(claim(found, "symplectic").verdict, expected);

    Lying rolling(*sleigh.problem, sleigh.claims("hamel"));
    rolling.chord = by * claim(sleigh.of("hamel"), "constraint").bound;
    plan = sleigh.plan;
    plan.reference.reset();
    EXPECT_EQ(claim(certify(rolling, hamel, sleigh.options, plan), "constraint").verdict, expected);
  }
  // Of the length s = Σ|q_i · ∂|q|/∂q_i| with each q_i as large as 1/√3 at least: between 1 and √3.
  const ClaimResult length = claim(pendulum.of("hamel"), "invariant:length");
  const double s = length.bound / (eps * (16.0 + 4.0 * std::sqrt(2000.0)));
  EXPECT_GE(s, 1.0 - 1e-6);
  EXPECT_LE(s, std::sqrt(3.0) + 1e-6);
  const ClaimResult composed = claim(pendulum.of("hamel+su4"), "invariant:length");  // five parts
  EXPECT_NEAR(composed.bound / length.bound,
              (16.0 + 4.0 * std::sqrt(10000.0)) / (16.0 + 4.0 * std::sqrt(2000.0)), 0.01);
  const ClaimResult blade = claim(sleigh.of("hamel"), "constraint");
  const double q = blade.bound / (16.0 * eps) - 1.0;
  EXPECT_NE(blade.formula.find(text_of(q * sleigh.options.step)), std::string::npos)
      << blade.formula;
}

// Hamel's step keeps the relative equilibria of Lynch and Zenkov's system, DLA drifts along the
// family (MATH 10); a chain of ten links is too large to look.
TEST(Certificate, RelativeEquilibriaAreMeasured) {
  Case lz("lynch_zenkov");
  const std::vector<MethodSpec> methods = {MethodSpec::parse("hamel"), MethodSpec::parse("dla")};
  lz.plan.equilibrium = equilibrium_to_certify(*lz.problem, lz.options.step, methods);
  ASSERT_TRUE(lz.plan.equilibrium);
  const ClaimResult kept = claim(lz.of("hamel"), "equilibria");
  EXPECT_EQ(kept.verdict, Verdict::beyond) << kept.measured << " " << kept.bound;
  const ClaimResult left = claim(lz.of("dla"), "equilibria");
  EXPECT_EQ(left.verdict, Verdict::not_claimed) << left.measured;
  EXPECT_GT(left.measured, 1e-6);
  EXPECT_FALSE(left.detail.empty());

  const Case chain("chain_pendulum");
  EXPECT_FALSE(equilibrium_to_certify(*chain.problem, chain.options.step, methods));
}

// What is left by a solver that stops early is told from what the method does.
TEST(Certificate, TheSolversShareIsTold) {
  Case pendulum("spherical_pendulum");
  pendulum.options.solver.tolerance = 1e-12;
  const ClaimResult energy = claim(pendulum.of("gauss(stages=2)"), "invariant:length");
  EXPECT_EQ(energy.source, DriftSource::solver)
      << energy.measured << " " << energy.loosened.value_or(0.0);
  const ClaimResult method = claim(pendulum.of("rattle"), "invariant:energy");
  EXPECT_EQ(method.source, DriftSource::method);
}

// It is the solver's where a hundred times its tolerance makes thirty times the change, and not
// where it makes less.
TEST(Certificate, TheSolversShareIsNotTheRest) {
  Case pendulum("spherical_pendulum");
  pendulum.plan.reference.reset();
  int less = 0;
  int more = 0;
  for (int k = 0; k < 18; ++k) {
    pendulum.options.solver.tolerance = std::ldexp(1e-17, 2 * k);
    const Certificate found = pendulum.of("gauss(stages=2)");
    for (const char* name : {"invariant:length", "invariant:energy", "invariant:momentum_z"}) {
      const ClaimResult result = claim(found, name);
      const double grown = result.loosened.value_or(NAN) / result.measured;
      ASSERT_FALSE(std::isnan(grown));
      EXPECT_EQ(result.source == DriftSource::solver, grown >= 30.0)
          << name << " " << pendulum.options.solver.tolerance << " " << grown;
      less += grown > 3.0 && grown < 30.0 ? 1 : 0;
      more += grown >= 30.0 && grown < 300.0 ? 1 : 0;
    }
  }
  EXPECT_GE(less, 3);
  EXPECT_GE(more, 3);
}

// An order above the claim holds, and is told.
TEST(Certificate, AnOrderAboveTheClaimIsTold) {
  const Case pendulum("spherical_pendulum");
  for (const int claimed : {1, 2}) {
    Claims claims = pendulum.claims("hamel");
    claims.order = claimed;
    const Lying lying(*pendulum.problem, claims);
    const ClaimResult order =
        claim(certify(lying, MethodSpec::parse("hamel"), pendulum.options, pendulum.plan), "order");
    EXPECT_EQ(order.verdict, Verdict::holds);
    EXPECT_NEAR(order.measured, 2.0, 0.1);
    EXPECT_EQ(order.detail.find("higher than claimed here") != std::string::npos, claimed == 1)
        << order.detail;
  }
}

// A run that ends before its time keeps no claim.
TEST(Certificate, AFailedRunKeepsNothing) {
  Case chain("chain_pendulum");
  chain.options.step = 0.5;  // no solution
  chain.plan.reference.reset();
  const ClaimResult length = claim(chain.of("variational"), "invariant:length");
  EXPECT_EQ(length.verdict, Verdict::fails);
  EXPECT_NE(length.detail.find("stopped after"), std::string::npos) << length.detail;
}

}  // namespace
}  // namespace hamel
