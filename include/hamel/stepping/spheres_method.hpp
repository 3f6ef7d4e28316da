// SPDX-License-Identifier: BSD-3-Clause
// What the methods on many spheres share.
//
//   struct SpheresName {
//     static constexpr MethodInfo info{…};
//     static SpheresName from_options(MethodOptions&);
//     std::string misfit(const SpheresModel&) const;               // why it does not fit, or ""
//     Claims claims(const SpheresModel&, const Names& momenta) const;
//     template <class S> std::unique_ptr<Stepper<S>> stepper(const SpheresModel&,
//                                                            const StepperOptions&) const;
//   };
// `momenta` are the components of the angular momentum that the system keeps. Steppers start from
// and show (q, q̇).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamel/models/spheres_equations.hpp"
#include "hamel/models/spheres_model.hpp"
#include "hamel/stepping/method.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

using Names = std::vector<std::string>;

inline Names operator+(Names list, const Names& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

/// In which variables an explicit or Gauss method works: the links of a chain, or one of D3's four
/// forms.
struct SpheresFormulation {
  static constexpr const char* words[] = {"q_qdot", "q_omega", "q_mu", "q_pi", "links"};
  static constexpr const char* values = "q_qdot, q_omega, q_mu, q_pi, links";
  static constexpr OptionInfo option{"formulation", values, "links for chains, else q_pi",
                                     "variables"};
  int chosen = -1;

  static SpheresFormulation from_options(MethodOptions& given) {
    return {given.word("formulation", {words, words + 5})};
  }
  bool links(const SpheresModel& model) const {
    return chosen == 4 || (chosen < 0 && model.chain != nullptr);
  }
  SpheresForm form() const {
    return chosen < 0 ? SpheresForm::q_pi : static_cast<SpheresForm>(chosen);
  }
  /// Whether a chain is in (q, π) and has O(n) equations there.
  bool chain_momenta(const SpheresModel& model) const {
    return chosen == 3 && model.chain != nullptr && model.chain->gravity_alone();
  }
  std::string misfit(const SpheresModel& model) const {
    if (links(model)) return model.chain ? "" : "formulation=links is for chains";
    if (model.formulas || chain_momenta(model)) return "";
    return "formulation=links is the one for chains this long (under gravity alone q_pi, too), or "
           "driven by a function of time that is not given as formulas";
  }
};

}  // namespace hamel
