// SPDX-License-Identifier: BSD-3-Clause
// make_entry<System>("name") for systems on the sphere. This is where they meet methods: every
// method that fits is compiled for the system, in one translation unit.
#pragma once

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "hamel/catalogue/describe_entry.hpp"
#include "hamel/core/words.hpp"
#include "hamel/runs/methods.hpp"  // generated: AllMethods
#include "hamel/runs/problem.hpp"
#include "hamel/runs/sphere_simulation.hpp"
#include "hamel/runs/symplectic.hpp"

namespace hamel {

namespace detail {

/// The first method that fits; every one gives the same type of result.
template <class System, class First, class... Rest>
constexpr auto first_fitting(std::type_identity<std::tuple<First, Rest...>>) {
  if constexpr (First::template fits<System>)
    return First{};
  else
    return first_fitting<System>(std::type_identity<std::tuple<Rest...>>{});
}

/// Calls use(Method{options}) for the method that `spec` names. Throws InputError where there is
/// none or it does not fit the system, listing those that do.
template <class System, class Use>
auto with_method(const MethodSpec& spec, Use&& use) {
  using Result = decltype(use(first_fitting<System>(std::type_identity<AllMethods>{})));
  std::optional<Result> result;
  bool known = false;
  std::vector<std::string> fitting;
  const auto attempt = [&]<class Method>(std::type_identity<Method>) {
    if constexpr (Method::template fits<System>) {
      fitting.emplace_back(Method::info.name);
      if (spec.name == Method::info.name) {
        MethodOptions options(spec.name, spec.options);
        const Method method = Method::from_options(options);
        options.finish(Method::info.options);
        result.emplace(use(method));
      }
    }
    known = known || spec.name == Method::info.name;
  };
  [&]<class... Methods>(std::type_identity<std::tuple<Methods...>>) {
    (attempt(std::type_identity<Methods>{}), ...);
  }(std::type_identity<AllMethods>{});
  if (!result)
    throw InputError((known ? "method '" + spec.name + "' does not fit this system"
                            : unknown_method(spec.name)) +
                     "; methods that fit: " + list_of_words(fitting) +
                     (known ? "" : did_you_mean(spec.name, fitting)));
  return std::move(*result);
}

template <class System, class Method>
Claims claims_of(const System& system, const Method& method, const MethodSpec& spec) {
  Claims claims = method.template claims<System>(system);
  if (spec.composition != Composition::none) {
    if (!claims.time_symmetry || claims.order == 0)
      throw InputError("method '" + spec.text +
                       "': only a time-symmetric integrator can be "
                       "composed, and " +
                       spec.name + " is none");
    claims = composed(std::move(claims), spec.composition);
  }
  // A method speaks of invariants in general; only those the system has are claimed.
  std::erase_if(claims.invariants, [](std::string_view name) {
    for (const auto& info : SphereInvariants<System>::info())
      if (info.name == name) return false;
    return true;
  });
  return claims;
}

}  // namespace detail

/// A step class as a map of (q, omega).
template <class S, class Step>
class SphereStepMap final : public StepMap<S> {
 public:
  explicit SphereStepMap(const Step& step) : step_(step) {}

  bool operator()(const std::vector<S>& from, std::vector<S>& to) override {
    SphereInitial<S> at;
    for (int c = 0; c < 3; ++c) {
      at.q[c] = from[static_cast<std::size_t>(c)];
      at.omega[c] = from[static_cast<std::size_t>(3 + c)];
    }
    auto state = step_.start(at);
    if (step_.step(state).failed()) return false;
    const auto seen = step_.observe(state);
    for (int c = 0; c < 3; ++c) {
      to[static_cast<std::size_t>(c)] = seen.q[c];
      to[static_cast<std::size_t>(3 + c)] = seen.omega[c];
    }
    return true;
  }

 private:
  Step step_;
};

template <SphereSystem System>
class ProblemOf final : public Problem {
  using Initial = SphereInitial<double>;

 public:
  ProblemOf(const System& system, const Initial& initial) : system_(system), initial_(initial) {}

  std::unique_ptr<Simulation> simulate(const MethodSpec& spec,
                                       const IntegrationOptions& options) const override {
    if (options.compensated) return simulate_as<Summation::compensated>(spec, options);
    return simulate_as<Summation::plain>(spec, options);
  }

  Claims claims(const MethodSpec& spec) const override {
    return detail::with_method<System>(
        spec, [&](const auto& method) { return detail::claims_of(system_, method, spec); });
  }

  EndPoint end_point(const MethodSpec& spec, const IntegrationOptions& options, double until,
                     std::int64_t steps, Precision precision) const override {
    switch (precision) {
      case Precision::long_double: return end_point_as<long double>(spec, options, until, steps);
      case Precision::quad: return end_point_as<Quad>(spec, options, until, steps);
      default: return end_point_as<double>(spec, options, until, steps);
    }
  }

  double reversal_defect(const MethodSpec& spec, const IntegrationOptions& options,
                         std::int64_t steps) const override {
    return with_step<Quad, Summation::plain>(
        spec, initial_, Quad(options.step), options, [&](const auto& forth, const auto& back) {
          auto state = forth.start(refined<Quad>(initial_));
          const auto begin = forth.observe(state);
          for (std::int64_t i = 0; i < steps; ++i)
            if (forth.step(state).failed()) return std::numeric_limits<double>::quiet_NaN();
          for (std::int64_t i = 0; i < steps; ++i) {
            if constexpr (requires { state.forget(); }) state.forget();
            if (back.step(state).failed()) return std::numeric_limits<double>::quiet_NaN();
          }
          const auto end = back.observe(state);
          return static_cast<double>(sqrt(norm2(end.q - begin.q) + norm2(end.omega - begin.omega)));
        });
  }

  std::optional<double> symplectic_defect(const MethodSpec& spec,
                                          const IntegrationOptions& options) const override {
    Initial in_space = initial_;
    in_space.body = false;
    return detail::with_method<System>(
        spec, [&]<class Method>(const Method& method) -> std::optional<double> {
          if constexpr (requires { Method::closed_form; }) {
            return std::nullopt;
          } else {
            return with_step_of<Dual<double, 4>, Summation::plain>(
                method, spec, in_space, Dual<double, 4>(options.step), options,
                [&](const auto& stepper, const auto&) {
                  return std::optional(hamel::symplectic_defect(stepper, in_space));
                });
          }
        });
  }

  PhaseSpace phase_space() const override {
    const auto start = refined<Quad>(initial_);
    return {1,
            {},
            {start.q[0], start.q[1], start.q[2], start.omega[0], start.omega[1], start.omega[2]}};
  }

  InvariantMap invariant_map() const override {
    return [system = system_](const std::vector<double>& z, std::vector<double>& values) {
      values.resize(SphereInvariants<System>::count);
      const auto seen = SphereState<double>::from_omega({{z[0], z[1], z[2]}}, {{z[3], z[4], z[5]}});
      SphereInvariants<System>::evaluate(system, seen, values.data());
      return true;
    };
  }

  std::unique_ptr<StepMap<double>> step_map(const MethodSpec& spec,
                                            const IntegrationOptions& options) const override {
    return step_map_as<double>(spec, options);
  }
  std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec& spec,
                                               const IntegrationOptions& options) const override {
    return step_map_as<Quad>(spec, options);
  }

  std::optional<EndPoint> exact([[maybe_unused]] Quad t) const override {
    if constexpr (HasExactSolution<System>) {
      const auto point = system_.exact(refined<Quad>(initial_)).at(t);
      return EndPoint{Status::ok, 0, as_list(point.q), as_list(point.omega)};
    } else {
      return std::nullopt;
    }
  }

 private:
  template <class S>
  static std::vector<Quad> as_list(const Vec<S, 3>& v) {
    return {Quad(v[0]), Quad(v[1]), Quad(v[2])};
  }

  template <class S>
  std::unique_ptr<StepMap<S>> step_map_as(const MethodSpec& spec,
                                          const IntegrationOptions& options) const {
    Initial in_space = initial_;
    in_space.body = false;
    return with_step<S, Summation::plain>(
        spec, in_space, S(options.step), options,
        []<class Step>(const Step& forth, const Step&) -> std::unique_ptr<StepMap<S>> {
          return std::make_unique<SphereStepMap<S, Step>>(forth);
        });
  }

  template <Summation Mode>
  std::unique_ptr<Simulation> simulate_as(const MethodSpec& spec,
                                          const IntegrationOptions& options) const {
    return with_step<double, Mode>(
        spec, initial_, options.step, options,
        [&]<class Step>(const Step& forth, const Step&) -> std::unique_ptr<Simulation> {
          return std::make_unique<SimulationOf<System, Step>>(system_, forth, initial_, options,
                                                              measure_every(spec));
        });
  }

  /// Invariants cost about 15 ns: at every step of an expensive method, and at every 16th of a
  /// cheap one, that stays below 5 % of stepping.
  static std::int64_t measure_every(const MethodSpec& spec) {
    const bool cheap = detail::with_method<System>(
        spec, []<class Method>(const Method&) { return Method::info.cheap; });
    return cheap && spec.composition == Composition::none ? 16 : 1;
  }

  template <class S>
  EndPoint end_point_as(const MethodSpec& spec, const IntegrationOptions& options, double until,
                        std::int64_t steps) const {
    return with_step<S, Summation::plain>(
        spec, initial_, S(until) / S(static_cast<double>(steps)), options,
        [&](const auto& stepper, const auto&) {
          auto state = stepper.start(std::same_as<S, double> ? initial_.template as<S>()
                                                             : refined<S>(initial_));
          EndPoint end;
          for (; end.steps < steps && end.status == Status::ok; ++end.steps) {
            const auto report = stepper.step(state);
            end.status = report.status();
            end.iterations += report.iterations;
            if (options.stop != nullptr && end.steps % 256 == 0 && options.stop->load())
              end.status = Status::interrupted;
            if (end.status != Status::ok) break;
          }
          const auto seen = stepper.observe(state);
          end.q = as_list(seen.q);
          end.velocity = as_list(seen.omega);
          return end;
        });
  }

  /// use(step of size h, step of size −h) for the method, composed where asked, in scalar S.
  template <class S, Summation Mode, class Method, class Use>
  auto with_step_of(const Method& method, const MethodSpec& spec, const Initial& initial,
                    const S& h, const IntegrationOptions& options, Use&& use) const {
    detail::claims_of(system_, method, spec);  // refuses what cannot be composed
    return method.template with_step<System>(initial, [&]<class Type>(Type) {
      if (spec.composition == Composition::none) {
        using Step = typename Type::template Step<System, S, Mode>;
        return use(Step(method, system_, h, options.solver),
                   Step(method, system_, -h, options.solver));
      }
      using Step = typename ComposedOf<Type>::template Step<System, S, Mode>;
      return use(Step(method, system_, h, options.solver, spec.composition),
                 Step(method, system_, -h, options.solver, spec.composition));
    });
  }

  template <class S, Summation Mode, class Use>
  auto with_step(const MethodSpec& spec, const Initial& initial, const S& h,
                 const IntegrationOptions& options, Use&& use) const {
    return detail::with_method<System>(spec, [&](const auto& method) {
      return with_step_of<S, Mode>(method, spec, initial, h, options, use);
    });
  }

  template <class Type>
  struct ComposedOf;
  template <template <class, class, Summation> class Base>
  struct ComposedOf<StepType<Base>> : Composed<Base> {};

  System system_;
  Initial initial_;
};

/// The catalogue entry of a system type. Works for types outside the library too.
template <SphereSystem System>
SystemEntry make_entry(std::string name) {
  SystemEntry entry = describe_entry<System>(std::move(name));
  for (const auto& form : System::initial_forms)
    entry.initial_forms.emplace_back(form.begin(), form.end());
  entry.invariants = SphereInvariants<System>::info();
  [&]<class... Methods>(std::type_identity<std::tuple<Methods...>>) {
    ((Methods::template fits<System> ? entry.methods.push_back(Methods::info) : void()), ...);
  }(std::type_identity<AllMethods>{});
  entry.has_exact = HasExactSolution<System>;
  entry.make = [](const SystemValues& values, int form, const InitialValues& initial,
                  std::vector<std::string>& notes) {
    const auto system = with_values<System>(values);
    const auto start = System::initial(form, initial, notes);
    const auto seen = SphereState<double>::from_omega(start.q, start.omega);
    double kept[SphereInvariants<System>::count];
    SphereInvariants<System>::evaluate(system, seen, kept);
    for (const double x : kept)
      if (!std::isfinite(x)) throw InputError("initial state: an invariant is not a finite number");
    return std::make_unique<ProblemOf<System>>(system, start);
  };
  return entry;
}

}  // namespace hamel
