// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/spheres_model.hpp"

namespace hamel {

namespace {

std::optional<Quad> uniform_field(const SpheresFormulas& formulas) {
  if (formulas.spheres() != 1 || formulas.forced() || !formulas.diagonal_inertia())
    return std::nullopt;
  const Quad m = formulas.inertia.front().front().value();
  const Expressions slope = gradient(formulas.potential, formulas.q);
  if (!(m > Quad(0)) || !slope[0].is_constant(0) || !slope[1].is_constant(0) ||
      !slope[2].is_constant())
    return std::nullopt;
  return slope[2].value() / m;
}

}  // namespace

bool SpheresModel::forced() const {
  return chain ? chain->forced() : formulas && formulas()->forced();
}

SpheresModel chain_model(Chain given) {
  SpheresModel model;
  const auto chain = std::make_shared<const Chain>(std::move(given));
  model.n = chain->links();
  if (model.n <= most_for_formulas && (!chain->drive || chain->drive_formulas.given()))
    model.formulas = [chain, built = std::make_shared<std::shared_ptr<const SpheresFormulas>>()] {
      if (!*built) *built = std::make_shared<const SpheresFormulas>(chain_formulas(*chain));
      return *built;  // shared by all copies of the model
    };
  if (model.n == 1 && chain->gravity_alone())
    model.pendulum = Quad(chain->gravity) / Quad(chain->lengths.front());
  model.chain = chain;
  return model;
}

SpheresModel formulas_model(SpheresFormulas formulas) {
  SpheresModel model;
  model.n = formulas.spheres();
  if (!formulas.quadratic()) formulas.find_inertia();
  model.pendulum = uniform_field(formulas);
  const auto shared = std::make_shared<const SpheresFormulas>(std::move(formulas));
  model.formulas = [shared] { return std::shared_ptr<const SpheresFormulas>(shared); };
  return model;
}

}  // namespace hamel
