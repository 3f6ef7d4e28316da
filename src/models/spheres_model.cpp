// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/spheres_model.hpp"

#include <mutex>

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

/// Of a chain, when somebody wants them; all copies of its model share them.
struct Known {
  std::once_flag once;
  std::optional<SpheresFormulas> formulas;
};

}  // namespace

bool SpheresModel::forced() const { return chain ? chain->forced() : forced_formulas; }

SpheresModel chain_model(Chain given) {
  SpheresModel model;
  const auto chain = std::make_shared<const Chain>(std::move(given));
  model.n = chain->links();
  if (model.n <= most_for_formulas && (!chain->drive || chain->drive_formulas.given()))
    model.formulas = [chain, known = std::make_shared<Known>()] {
      std::call_once(known->once, [&] { known->formulas.emplace(chain_formulas(*chain)); });
      return std::make_shared<const SpheresFormulas>(known->formulas->copy());
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
  model.forced_formulas = formulas.forced();
  formulas.graph->freeze();
  model.formulas = [shared = std::make_shared<const SpheresFormulas>(std::move(formulas))] {
    return std::make_shared<const SpheresFormulas>(shared->copy());
  };
  return model;
}

}  // namespace hamel
