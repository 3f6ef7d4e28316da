// SPDX-License-Identifier: BSD-3-Clause
// What an EquilibriumFinder holds, and how it looks for an equilibrium near a guess.
#pragma once

#include <map>

#include "reduced_map.hpp"

namespace hamel {

struct EquilibriumFinder::Parts {
  using State = ReducedSpace::State;

  const Problem& problem;
  double step;
  PhaseSpace phase;
  std::shared_ptr<ReducedSpace> space;
  double short_step = 0.0;                                        // h₀ of (1)
  std::unique_ptr<StepMap<Quad>> flow;                            // Φ
  std::map<std::string, std::unique_ptr<StepMap<Quad>>> methods;  // by their texts
  const std::atomic<bool>* stop = nullptr;

  Parts(const Problem& of, double h)
      : problem(of), step(h), phase(of.phase_space()), space(of.reduced_space()) {}

  StepMap<Quad>& map_of(const MethodSpec& spec);
  reduced::Map map() { return {*space, *flow, Quad(short_step)}; }
  /// Sets h₀ and Φ for states near z. Throws NumericalError.
  void choose_short_step(const State& z);

  /// Where the velocities begin in z.
  std::size_t velocities() const;
  std::vector<std::string> names() const;
  /// A component by its name; throws InputError where there is none.
  reduced::Fixed checked(const std::string& name) const;

  reduced::Found search(const ReducedState& guess, const std::optional<reduced::Fixed>& fixed,
                        bool far = false);
  /// By several ways; the nearest of what they find.
  reduced::Found near(const ReducedState& guess);

 private:
  bool stopped() const { return stop != nullptr && *stop; }
  /// Of two states, in all that counts.
  double apart(const State& a, const State& b) const;
  std::optional<State> settled(const State& from) const;
  reduced::Found at_rest(const ReducedState& guess);
  bool tells_nothing(const reduced::Found& found, const ReducedState& guess) const;
  reduced::Found at_speed_of(const ReducedState& guess);
};

}  // namespace hamel
