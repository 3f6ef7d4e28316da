// SPDX-License-Identifier: BSD-3-Clause
// Certificate: every claim of a method for a problem, measured and judged against a bound that
// stands before the measurement; what is not claimed is measured too.
//
//   claim            measured                                          bound
//   order            slope over six steps against a reference          order − max(0.1, 3 s.e.)
//   time_symmetry    |z − start| after n steps forth and back, Quad    2⁴⁰ eps_quad n
//   symplectic       max |JᵀΩJ − Ω|/max |Ω| of one step                512 eps
//   invariant:NAME   largest change along the run                      eps s (16 + 4 √(kN))
//   constraint       of the chord: largest |w(q̄)·Δq|/(|w|h), q̄ halfway 16 eps (1 + |q|/h)
//   equilibria       rate at which a step leaves a relative            2⁴⁰ eps_quad (1 + |z|)/h
//                    equilibrium of the system, Quad (equilibria.hpp)
// All ξ are admissible at every node: what remains to be measured of a constraint is the chord of a
// step.
// with s = max Σ_i |z_i ∂I/∂z_i| along the run, what a change of all numbers by eps does to I; N
// steps of k parts. Round-off is a random walk: 4 √(kN) is more than four of its deviations.
// An order below its bound fails where the slopes between neighbouring steps agree, and is not
// settled where they still change. Accuracy is not preservation: what is within its bound without
// being claimed counts as kept only where it is at 2, 4, 8 and 16 times the step too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hamel/runs/problem.hpp"
#include "hamel/studies/convergence.hpp"
#include "hamel/studies/equilibria.hpp"
#include "hamel/studies/trend.hpp"

namespace hamel {

enum class Verdict {
  holds,         ///< claimed, and within the bound
  fails,         ///< claimed, and not within the bound
  beyond,        ///< not claimed, and yet within the bound, at larger steps too
  not_claimed,   ///< nor kept
  not_settled,   ///< of an order: the measured one is too low, but no law has been reached
  not_measured,  ///< cannot be, or makes no sense here; the reason is in `detail`
};

/// "holds", "fails", "beyond the claim", "not claimed", "not settled", "not
/// measured".
const char* to_string(Verdict verdict);

/// Whose fault a change of an invariant is.
enum class DriftSource { none, round_off, solver, method };
const char* to_string(DriftSource source);

struct ClaimResult {
  std::string claim;
  bool claimed = false;
  Verdict verdict = Verdict::not_measured;
  double measured = 0.0;
  double bound = 0.0;   ///< from above; of the order, from below
  std::string formula;  ///< of the bound
  std::string detail;   ///< more about it, or why it was not measured
  std::string brief;    ///< how it is lost, in a few words; of invariants the trend says so

  // Of an order.
  int order = 0;  ///< the claimed one
  double standard_error = 0.0;
  bool settled = false;  ///< slopes between neighbouring steps agree

  // Of an invariant.
  std::string unit;
  std::optional<Trend> trend;              ///< slope and error per step
  std::optional<double> loosened;          ///< largest change at 100 times the solver's tolerance
  DriftSource source = DriftSource::none;  ///< of the change

  bool holds() const { return verdict == Verdict::holds || verdict == Verdict::beyond; }
};

struct Certificate {
  std::string method;
  std::vector<ClaimResult> claims;
  double seconds = 0.0;

  bool fails() const;
};

/// With what the methods make of it at the step, and with larger steps.
struct EquilibriumToCertify : Equilibrium {
  std::vector<MethodAtEquilibrium> coarse;
};

struct CertificatePlan {
  std::int64_t steps = 10000;  ///< of the run that measures invariants
  ConvergencePlan convergence;
  std::optional<EndPoint> reference;  ///< at the horizon of `convergence`; nothing: no orders
  std::optional<EquilibriumToCertify> equilibrium;
};

/// The relative equilibrium nearest to the initial state, studied with the methods; nothing where
/// there is none, the system depends on time, or it is too large to look for one in a few seconds.
std::optional<EquilibriumToCertify> equilibrium_to_certify(const Problem& problem, double step,
                                                           const std::vector<MethodSpec>& methods,
                                                           const std::atomic<bool>* stop = nullptr);

/// Throws InputError where the method does not fit. Ends early, with what it has, where
/// options.stop is set.
Certificate certify(const Problem& problem, const MethodSpec& method,
                    const IntegrationOptions& options, const CertificatePlan& plan);

}  // namespace hamel
