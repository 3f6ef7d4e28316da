// SPDX-License-Identifier: BSD-3-Clause
// From a method's text to its Stepper, for the families whose methods are Steppers; All is the
// generated tuple of a family's methods.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/core/words.hpp"
#include "hamel/runs/problem.hpp"
#include "hamel/stepping/composed_stepper.hpp"

namespace hamel {

/// The methods that fit the model.
template <class All, class Model>
std::vector<MethodInfo> fitting_methods(const Model& model) {
  std::vector<MethodInfo> list;
  [&]<class... Methods>(std::type_identity<std::tuple<Methods...>>) {
    ((Methods{}.misfit(model).empty() ? list.push_back(Methods::info) : void()), ...);
  }(std::type_identity<All>{});
  return list;
}

/// Calls use(method) for the method that `spec` names. Throws InputError where there is none or it
/// does not fit, listing those that do.
template <class All, class Model, class Use>
auto with_chosen_method(const Model& model, const MethodSpec& spec, Use&& use) {
  using Result = decltype(use(std::get<0>(All{})));
  std::optional<Result> result;
  std::string reason;
  bool known = false;
  const auto attempt = [&]<class Method>(std::type_identity<Method>) {
    if (spec.name != Method::info.name) return;
    known = true;
    MethodOptions options(spec.name, spec.options);
    const Method method = Method::from_options(options);
    options.finish(Method::info.options);
    reason = method.misfit(model);
    if (reason.empty()) result.emplace(use(method));
  };
  [&]<class... Methods>(std::type_identity<std::tuple<Methods...>>) {
    (attempt(std::type_identity<Methods>{}), ...);
  }(std::type_identity<All>{});
  if (!result) {
    std::vector<std::string> fitting;
    for (const MethodInfo& info : fitting_methods<All>(model)) fitting.emplace_back(info.name);
    throw InputError((known ? "method '" + spec.text + "' does not fit this system: " + reason
                            : unknown_method(spec.name)) +
                     "; methods that fit: " + list_of_words(fitting) +
                     (known ? "" : did_you_mean(spec.name, fitting)));
  }
  return std::move(*result);
}

/// Throws where the method cannot be composed as the spec asks.
template <class AnyClaims>
void refuse_composition(const MethodSpec& spec, const AnyClaims& claims) {
  if (spec.composition != Composition::none && (!claims.time_symmetry || claims.order == 0))
    throw InputError("method '" + spec.text +
                     "': only a time-symmetric integrator can be composed, and " + spec.name +
                     " is none");
}

/// The method's stepper, wrapped as wrap(stepper) says, composed where the spec asks.
template <class S, class Method, class Model, class Wrap = std::identity>
std::unique_ptr<Stepper<S>> stepper_of(const Method& method, const Model& model,
                                       const MethodSpec& spec, const IntegrationOptions& options,
                                       const Wrap& wrap = {}) {
  std::unique_ptr<Stepper<S>> base =
      wrap(method.template stepper<S>(model, {options.solver, options.compensated}));
  if (spec.composition == Composition::none) return base;
  return std::make_unique<ComposedStepper<S>>(std::move(base), spec.composition);
}

/// Goes on to `steps` steps of h from the started state, counting the good ones in `end`.
template <class S>
void march(Stepper<S>& stepper, StepperState<S>& state, const S& h, std::int64_t steps,
           const IntegrationOptions& options, EndPoint& end) {
  for (; end.steps < steps; ++end.steps) {
    const StepReport<S> report = stepper.step(state, S(static_cast<double>(end.steps)) * h, h);
    end.status = report.status();
    end.iterations += report.iterations;
    if (options.stop != nullptr && end.steps % 64 == 0 && options.stop->load())
      end.status = Status::interrupted;
    if (end.status != Status::ok) return;
  }
}

}  // namespace hamel
