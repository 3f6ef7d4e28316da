// SPDX-License-Identifier: BSD-3-Clause
// rattle: RATTLE for chains, in Cartesian positions and velocities of the masses.
//
// The same map as `variational`; kept beside it because it is what other programs have, and because
// differences of positions show what the links save: round-off grows with the distance from the
// base.
#pragma once

#include "hamel/stepping/chain/chain_rattle_stepper.hpp"
#include "hamel/stepping/spheres_method.hpp"

namespace hamel {

struct SpheresRattle {
  static constexpr MethodInfo info{"rattle", "RATTLE in Cartesian positions: symplectic",
                                   "D2 section I; MATH 7.2"};

  static SpheresRattle from_options(MethodOptions&) { return {}; }
  static std::string misfit(const SpheresModel& model) {
    return model.chain ? "" : "it is for chains";
  }
  static Claims claims(const SpheresModel& model, const Names& momenta) {
    return {2, true, !model.forced(), Names{"length", "tangency"} + momenta, {}};
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const SpheresModel& model,
                                      const StepperOptions& given) const {
    return std::make_unique<ChainRattleStepper<S>>(model.chain, given);
  }
};

}  // namespace hamel
