// SPDX-License-Identifier: BSD-3-Clause
// D2: the homogeneous variational integrator: its equation, its order, what it is said to keep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/core/vec.hpp"
#include "hamel/studies/convergence.hpp"
#include "reproduce.hpp"

namespace hamel::app {

namespace {

constexpr const char* long_run = "integrate.steps=100000";

Finding length(const Registry& registry) {
  const auto result = measure(d0_scenario(registry, {long_run}), "variational");
  const double drift = drift_of(result, "length");
  return {drift, fmt::format("{:.1e} after 100,000 steps, without drift", drift),
          drift <= 4e-16 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

Finding momentum(const Registry& registry) {
  const auto result = measure(d0_scenario(registry, {long_run}), "variational");
  const auto* drift = result.invariant("momentum_z");
  const double relative = drift->max_drift / std::fabs(drift->initial);
  return {relative, fmt::format("relative drift {:.1e} after 100,000 steps", relative),
          relative <= 1e-13 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

Finding energy(const Registry& registry) {
  return bounded_energy(d0_scenario(registry, {long_run}), "variational");
}

Finding symplectic(const Registry& registry) {
  const auto scenario = d0_scenario(registry);
  const double defect = known(
      scenario.problem->symplectic_defect(MethodSpec::parse("variational"), scenario.integration));
  return {defect, fmt::format("defect {:.1e} at h = 0.2", defect),
          defect <= 1e-13 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

Finding rattle(const Registry& registry) {
  const double distance = map_distance(d0_scenario(registry), "variational", "rattle", 200);
  return {distance, fmt::format("positions differ by {:.0e} after 200 steps in quad", distance),
          distance <= 1e-28 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

constexpr double node_step = 0.015625;  // 1/64, the same number in every arithmetic

Finding discrete_equation(const Registry& registry) {
  constexpr int n = 3;
  const Chain chain = unequal_chain(n);
  const auto scenario = chain_scenario(registry, n, node_step, 1);
  std::vector<std::vector<Quad>> nodes;
  for (int k = 1; k <= 12; ++k) {
    const EndPoint node = scenario.problem->end_point(
        MethodSpec::parse("variational"), scenario.integration, k * node_step, k, Precision::quad);
    if (node.status != Status::ok) throw NumericalError("a step failed");
    nodes.push_back(node.q);
  }
  using Vector = Vec<Quad, 3>;
  const auto q = [&](std::size_t k, int j) {
    const Quad* at = &nodes[k][3 * static_cast<std::size_t>(j)];
    return Vector{{at[0], at[1], at[2]}};
  };
  const Quad h = node_step;
  Quad worst = 0;
  Quad term = 0;  // the larger of the two that cancel
  for (std::size_t k = 1; k + 1 < nodes.size(); ++k) {
    for (int i = 0; i < n; ++i) {
      const auto l = [&](int j) { return Quad(chain.lengths[static_cast<std::size_t>(j)]); };
      const auto M = [&](int j) {
        Quad beyond = 0;  // Σ_{k ≥ max(i,j)} m_k
        for (int m = std::max(i, j); m < n; ++m)
          beyond += chain.masses[static_cast<std::size_t>(m)];
        return beyond;
      };
      Vector sum{};
      for (int j = 0; j < n; ++j)
        sum += (M(j) * l(i) * l(j)) * (Quad(2) * q(k, j) - q(k + 1, j) - q(k - 1, j));
      const Vector slope{{0, 0, chain.gravity * M(i) * l(i)}};  // ∂V/∂q_i
      const Vector turned = (1 / h) * cross(q(k, i), sum);
      const Quad left = norm(turned - h * cross(q(k, i), slope));
      if (!(left <= worst)) worst = left;
      term = max(term, norm(turned));
    }
  }
  const auto relative = static_cast<double>(worst / term);
  return {
      relative,
      fmt::format("chain of 3: 12 nodes satisfy it within {:.0e} of its terms (quad)", relative),
      relative <= 1e-27 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

Finding order(const Registry& registry) {
  const auto scenario = chain_scenario(registry, 2, 0.02, 50);
  const ConvergencePlan plan{1.0, 0.02, 5};
  const auto study =
      measure_order(*scenario.problem, MethodSpec::parse("variational"), scenario.integration, plan,
                    reference_end(*scenario.problem, plan.horizon));
  const bool complete = study.errors.size() == 5 && study.fit.points == 5;
  return {study.fit.order,
          fmt::format("double pendulum, four halvings from h = 0.02: {:.4f} ± {:.0e}",
                      study.fit.order, study.fit.standard_error),
          std::fabs(study.fit.order - 2.0) <= 0.05 ? Verdict::confirmed : Verdict::not_confirmed,
          "", complete};
}

Finding any_n(const Registry& registry) {
  double apart = 0.0;
  for (const int n : {1, 2, 5, 10}) {
    const auto scenario = chain_scenario(registry, n, node_step, 1);
    const double d = map_distance(scenario, "variational", "variational(solver=dense)", 50);
    if (!(d <= apart)) apart = d;
  }
  const auto result = measure(chain_scenario(registry, 1000, 0.002, 250), "variational");
  const double off = drift_of(result, "length");
  const auto* momentum = result.invariant("momentum_z");
  const double relative = momentum->max_drift / std::fabs(momentum->initial);
  return {apart,
          fmt::format("n = 1, 2, 5, 10: equations solved densely and link by link differ by {:.0e} "
                      "after 50 steps (quad); n = 1000, 250 steps: length {:.1e}, momentum {:.1e}",
                      apart, off, relative),
          apart <= 1e-28 && off <= 1e-15 && relative <= 1e-12 ? Verdict::confirmed
                                                              : Verdict::not_confirmed,
          ""};
}

}  // namespace

std::vector<Claim> claims_of_d2() {
  using enum Verdict;
  return {
      {"D2.length", "D2 abstract", "unit lengths without constraints or projection", "round-off",
       confirmed, length},
      {"D2.momentum", "D2 abstract", "momentum preserving", "exact", confirmed, momentum},
      {"D2.energy", "D2 abstract", "exceptional energy stability", "bounded, no trend", confirmed,
       energy},
      {"D2.symplectic", "D2 abstract", "the discrete flow is symplectic", "defect 0", confirmed,
       symplectic},
      {"D2.rattle", "D2 abstract", "an index-reduced version of RATTLE", "the same map", confirmed,
       rattle},
      {"D2.discrete_equation", "D2 abstract",
       "q_i,k × Σ_j M_ij(−q_j,k+1 + 2q_j,k − q_j,k−1)/h − h q_i,k × ∂V/∂q_i,k = 0", "round-off",
       confirmed, discrete_equation},
      {"D2.order", "D2 abstract", "the second-order accurate version of the algorithm", "2",
       confirmed, order},
      {"D2.any_n", "D2 abstract",
       "a system of coupled objects with configuration space (S²)ⁿ; multi-jointed systems",
       "any n: one map, lengths and momentum kept", confirmed, any_n},
  };
}

}  // namespace hamel::app
