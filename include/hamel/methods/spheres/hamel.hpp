// SPDX-License-Identifier: BSD-3-Clause
// hamel: the Lie–Poisson midpoint with an exact discrete gradient of the energy on (S²)ⁿ.
//
// Chains and rods in O(n); other systems with inertia that is constant and diagonal. Energy,
// lengths and tangency are exact, and the vertical momentum of chains, of others every momentum
// that their potential keeps. For one sphere in a uniform field it is D0's integrator. [MATH 7.3]
#pragma once

#include "hamel/methods/hamel.hpp"
#include "hamel/stepping/chain/chain_hamel_stepper.hpp"
#include "hamel/stepping/spheres/pendulum_stepper.hpp"
#include "hamel/stepping/spheres/spheres_hamel_stepper.hpp"
#include "hamel/stepping/spheres_method.hpp"

namespace hamel {

struct SpheresHamel {
  static constexpr MethodInfo info{"hamel", "Hamel on spheres: energy and momentum exact",
                                   "MATH 7.3"};

  static SpheresHamel from_options(MethodOptions&) { return {}; }

  static std::string misfit(const SpheresModel& model) {
    if (!model.chain) return hamel_misfit(*model.formulas());
    return model.chain->forced() ? "no exact form is known for chains with outer forces" : "";
  }

  static Claims claims(const SpheresModel& model, const Names& momenta) {
    Names kept = {"length", "tangency"};
    if (!model.forced()) kept.emplace_back("energy");
    for (const auto& name : momenta)
      if (!model.chain || name == "momentum_z") kept.push_back(name);
    return {2, true, false, kept, {}};
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const SpheresModel& model,
                                      const StepperOptions& given) const {
    if (model.pendulum)
      return std::make_unique<PendulumStepper<S, HamelStep>>(*model.pendulum, given);
    if (model.chain) return std::make_unique<ChainHamelStepper<S>>(*model.chain, given);
    return std::make_unique<SpheresHamelStepper<S>>(*model.formulas(), given);
  }
};

}  // namespace hamel
