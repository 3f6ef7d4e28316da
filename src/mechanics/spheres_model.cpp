#include "hamel/mechanics/spheres_model.hpp"

namespace hamel {

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
  model.chain = chain;
  return model;
}

SpheresModel formulas_model(SpheresFormulas formulas) {
  SpheresModel model;
  model.n = formulas.spheres();
  if (!formulas.quadratic()) formulas.find_inertia();
  const auto shared = std::make_shared<const SpheresFormulas>(std::move(formulas));
  model.formulas = [shared] { return std::shared_ptr<const SpheresFormulas>(shared); };
  return model;
}

}  // namespace hamel
