// SPDX-License-Identifier: BSD-3-Clause
// variational: D2's homogeneous variational integrator on (S²)ⁿ.
//
// Chains in their links, O(n) [MATH 7.2]; other systems, or chains on request, in (q, π): without
// iteration where inertia does not couple the spheres, else by dense Newton iteration [MATH 7.1].
// All are the same map.
#pragma once

#include "hamel/methods/variational.hpp"
#include "hamel/stepping/chain/chain_kernel_stepper.hpp"
#include "hamel/stepping/chain/chain_variational_stepper.hpp"
#include "hamel/stepping/spheres/pendulum_stepper.hpp"
#include "hamel/stepping/spheres/spheres_variational_stepper.hpp"
#include "hamel/stepping/spheres/uncoupled_variational_stepper.hpp"
#include "hamel/stepping/spheres_method.hpp"

namespace hamel {

struct SpheresVariational {
  static constexpr OptionInfo options[] = {
      {"solver", "links, dense", "links for chains, else dense", "O(n), or any constant inertia"}};
  static constexpr MethodInfo info{"variational",
                                   "variational on spheres: symplectic; chains in O(n)",
                                   "D2; MATH 7.1, 7.2", options};

  int solver = -1;

  static SpheresVariational from_options(MethodOptions& given) {
    return {given.word("solver", {"links", "dense"})};
  }
  bool links(const SpheresModel& model) const {
    return solver == 0 || (solver < 0 && model.chain != nullptr);
  }

  std::string misfit(const SpheresModel& model) const {
    if (links(model)) return model.chain ? "" : "solver=links is for chains";
    if (!model.formulas)
      return "solver=links is the one for chains this long, or driven by a function of time that "
             "is "
             "not given as formulas";
    return variational_misfit(*model.formulas());
  }

  static Claims claims(const SpheresModel& model, const Names& momenta) {
    return {2, true, !model.forced(), Names{"length", "tangency"} + momenta, {}};
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const SpheresModel& model,
                                      const StepperOptions& given) const {
    if constexpr (std::same_as<S, double>)
      if (links(model) && model.chain->gravity_alone())
        return std::make_unique<ChainKernelStepper>(model.chain, given);
    if (links(model)) return std::make_unique<ChainVariationalStepper<S>>(model.chain, given);
    if (model.pendulum)
      return std::make_unique<PendulumStepper<S, VariationalStep>>(*model.pendulum, given);
    const auto formulas = model.formulas();
    if (formulas->diagonal_inertia() && variational_misfit(*formulas).empty())
      return std::make_unique<UncoupledVariationalStepper<S>>(*formulas, given);
    return std::make_unique<SpheresVariationalStepper<S>>(*formulas, given);
  }
};

}  // namespace hamel
