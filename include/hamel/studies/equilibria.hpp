// SPDX-License-Identifier: BSD-3-Clause
// Relative equilibria: finding them, following their families, and their stability for the system
// and for methods at a step h.
//
// In the chart of a reduced space, with Φ the flow over a short time h₀ and g(ω) the rotation by
// ω h₀ (where rotations are the symmetry), a relative equilibrium is a root of
//   F(z, ω) = (g(−ω)Φ(z) − z)/h₀,                                                             (1)
// found by Levenberg and Marquardt's iteration, δ = −(JᵀJ + λ)⁻¹JᵀF with λ ∝ |F|², which converges
// quadratically also where roots come in families, and to one nearby. Φ is Gauss' method with four
// stages in quadruple precision at a step where its error lies below 1e-25.
// Eigenvalues are log(μ)/h₀ of the multipliers μ of Φ, that is of D(g(−ω)Φ) on the tangent space
// modulo the group's directions. Those of a method are taken at its own equilibrium, the one that a
// move across the family leads to; what is left of (1) then is its drift along the family.
// Derivatives are differences of fourth order, good to 1e-24.
#pragma once

#include <atomic>
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamel/runs/problem.hpp"

namespace hamel {

/// Of the linear system, modulo symmetry.
enum class Stability {
  attracting,  ///< all multipliers inside the circle, but for those 1 that go along a family
  neutral,     ///< none outside, some on the circle
  unstable
};
const char* to_string(Stability);

/// A state with its turning rate, in full precision: what Newton starts from and ends at.
struct ReducedState {
  std::vector<Quad> z;
  std::vector<Quad> turning;  ///< rad/s about the axes of the space; empty in frames
};

/// What a method makes of an equilibrium.
struct MethodAtEquilibrium {
  std::string method;
  std::string failure;  ///< why there is nothing else; empty where there is
  double defect = 0.0;  ///< |F| of its step at the system's equilibrium, 1/s
  double shift = 0.0;   ///< distance of its own from there
  double drift = 0.0;   ///< |F| at its own: 0 where it is one
  std::vector<std::pair<std::string, double>> rates{};  ///< the drift of each component, per s
  double symmetry = 0.0;                                ///< defect of its step
  std::vector<double> turning{};                        ///< rad/s, of its own
  std::vector<std::complex<double>> multipliers{};      ///< largest modulus first
  double growth = 0.0;  ///< largest (|μ| − 1)/h but for those that are 1
  int unstable = 0;     ///< multipliers outside the circle
  Stability stability = Stability::neutral;
};

struct Equilibrium {
  ReducedState state;
  std::vector<double> q, velocity;  ///< velocity: xi in frames, omega on spheres
  std::vector<double> turning;      ///< rad/s, a vector in space; empty in frames
  double residual = 0.0;            ///< |F|, 1/s
  int iterations = 0;
  int family = 0;  ///< its dimension, modulo symmetry
  /// How fast each component changes along the family, for a unit of distance in it.
  std::vector<std::pair<std::string, double>> tangent{};
  std::vector<std::complex<double>> eigenvalues{};  ///< 1/s, largest real part first
  double growth = 0.0;                              ///< largest real part but for zeros
  int unstable = 0;
  Stability stability = Stability::neutral;
  std::vector<MethodAtEquilibrium> methods{};
};

/// A component of the state that is prescribed.
struct Prescribed {
  std::string name;
  double value;
};

class EquilibriumFinder {
 public:
  /// step: of the methods. Throws InputError where the system depends on time or is too large.
  EquilibriumFinder(const Problem& problem, double step);
  ~EquilibriumFinder();
  EquilibriumFinder(const EquilibriumFinder&) = delete;
  EquilibriumFinder& operator=(const EquilibriumFinder&) = delete;

  /// A search then ends as if it had failed.
  void stop_when(const std::atomic<bool>* stop);

  /// The system's initial state.
  ReducedState start() const;
  /// From where to look for all there are: on spheres every q_i = ±e3, at rest; in frames states
  /// scattered about the initial one, half of them at rest. Throws InputError where they are too
  /// many.
  std::vector<ReducedState> starts() const;
  /// The equilibrium near `guess`: state, residual, iterations. Throws NumericalError saying how
  /// far the iteration got.
  Equilibrium find(const ReducedState& guess, const std::optional<Prescribed>& prescribed = {});
  /// The rest.
  void study(Equilibrium& at, const std::vector<MethodSpec>& methods);

  /// Names that can be prescribed: the shape, xi1 …; q1x …, omega1x …, and Omega, the turning rate,
  /// where the symmetry is about one axis.
  std::vector<std::string> components() const;
  double value(const std::string& component, const ReducedState& of) const;
  /// Throws InputError naming the nearest component.
  void check_component(const std::string& name) const;

  /// On from a through b, by t times their distance beyond b; only to guess with.
  ReducedState beyond(const ReducedState& a, const ReducedState& b, double t);
  /// Of two states in the reduced space, near each other.
  double distance(const ReducedState& a, const ReducedState& b);

  const ReducedSpace& space() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Equilibria along a family: one for each value of a parameter, in the order of the values.
struct EquilibriumFamily {
  std::vector<double> values;
  std::vector<Equilibrium> points;
  std::vector<std::string> ends;  ///< why there are fewer than asked for
};

struct FamilyPlan {
  std::vector<double> values;  ///< in order, at least one
  double begin = 0.0;  ///< of the guess; the nearest comes first, then up and down from there
  /// The finder for a value: one for all, or one for each where a parameter of the system varies.
  std::function<EquilibriumFinder&(double)> finder;
  std::optional<std::string> component{};  ///< prescribed; none where the system varies
  std::vector<MethodSpec> methods{};
  std::function<bool(std::size_t done)> go_on{};  ///< asked before each point
};

/// Each point is sought from the extrapolation of the last two, by shorter steps where that fails;
/// a side ends where no step leads on. Throws NumericalError where not even the first is found.
EquilibriumFamily follow(const FamilyPlan& plan, const ReducedState& guess);

}  // namespace hamel
