// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/frame_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "frame_space.hpp"
#include "frame_step_map.hpp"
#include "frame_view.hpp"
#include "hamel/core/error.hpp"
#include "hamel/runs/frame_brackets.hpp"
#include "hamel/runs/frame_methods.hpp"  // generated: AllFrameMethods
#include "hamel/stepping/driven_stepper.hpp"
#include "stepped_simulation.hpp"
#include "stepper_choice.hpp"

namespace hamel {

namespace {

template <class S>
std::vector<S> in(const std::vector<double>& list) {
  return {list.begin(), list.end()};
}

std::vector<Quad> as_quads(const auto* from, int count) {
  std::vector<Quad> list;
  for (int i = 0; i < count; ++i) list.push_back(Quad(from[i]));
  return list;
}

/// Whether the fields of the frame contain parameters.
bool fields_contain(const FrameModel& model) {
  Expressions parameters;
  for (int i = 0; i < model.graph->parameters(); ++i)
    parameters.push_back(model.graph->parameter_at(i));
  return std::ranges::any_of(model.frame, [&](const Expressions& row) {
    return std::ranges::any_of(row, [&](const Expression& e) { return depends_on(e, parameters); });
  });
}

/// What inputs that are held in each step leave of a method's claims.            [MATH 11.2]
void restrict_to_held(const FrameModel& model, Claims& claims) {
  for (const FrameInput& input : model.inputs) {
    if (input.law && depends_on(model.lagrangian, {&input.symbol, 1})) claims.symplectic = false;
    if (input.period > 0.0) claims.time_symmetry = false;  // a way back reads other states
    if (!input.of_time || claims.order <= 2) continue;
    claims.order = 2;
    claims.note = "order 2, as inputs have their middle value in each step";
  }
}

class FrameProblem final : public Problem {
 public:
  FrameProblem(FrameModel model, FrameInitial initial, bool brackets_checked)
      : numbers_(model.nominal()), initial_(std::move(initial)) {
    model = model.copy();  // whoever gave it may go on with it
    const FrameModel plain = model.specialised(numbers_);
    if (!brackets_checked) check_brackets(plain, initial_.q);
    checked_equations(plain, initial_.q, initial_.xi);
    if (!brackets_checked) pin_brackets(model, initial_.q);
    fields_vary_ = fields_contain(model);
    frame_equations(model);  // so that every copy has them
    model.graph->freeze();
    model_ = std::make_shared<const FrameModel>(std::move(model));
  }

  std::vector<std::string> parameters() const override { return model_->free_parameters(); }

  std::unique_ptr<Problem> from(int form, const InitialValues& values,
                                const NamedNumbers& parameters) const override {
    auto other = std::make_unique<FrameProblem>(*this);
    const auto free = model_->free_parameters();
    for (const auto& [name, number] : parameters) {
      if (std::ranges::find(free, name) == free.end())
        throw InputError("'" + name + "' is no parameter that can have another number");
      other->numbers_[model_->parameter_index(name)] = number;
    }
    std::vector<std::string> notes;
    other->initial_ = form == 0 && !model_->shortest
                          ? FrameInitial{values.values.at("q"), values.values.at("xi")}
                          : frame_initial(other->plain(), form, values, notes);
    // What the fields are at the start decides what the system is.
    if (fields_vary_ && !parameters.empty())
      checked_equations(other->plain(), other->initial_.q, other->initial_.xi);
    return other;
  }
  bool restart(Simulation& simulation) const override {
    try {
      return dynamic_cast<SteppedSimulation&>(simulation)
          .restart({initial_.q, initial_.xi}, numbers_);
    } catch (const InputError&) {
      checked_equations(plain(), initial_.q, initial_.xi);  // may know why
      throw;
    }
  }

  std::unique_ptr<Simulation> simulate(const MethodSpec& spec,
                                       const IntegrationOptions& options) const override {
    // Looking at a state costs a tenth of a plain step, and next to nothing of a composed one.
    const bool costly = spec.composition != Composition::none || spec.name == "gauss";
    return std::make_unique<SteppedSimulation>(view(), stepper<double>(spec, options),
                                               StartValues{initial_.q, initial_.xi}, options.step,
                                               costly ? 2 : 8);
  }

  Claims claims(const MethodSpec& spec) const override {
    const FrameModel model = plain();
    return with_chosen_method<AllFrameMethods>(
        model, spec, [&]<class Method>(const Method& method) {
          FrameClaims found = method.claims(model);
          refuse_composition(spec, found);
          Claims claims{found.order, found.time_symmetry, found.symplectic, found.invariants,
                        found.note,  found.adaptive,      found.constraint};
          if (found.quadratic) {
            Expressions momentum;
            if constexpr (requires { method.equations(model); })
              momentum = method.equations(model).momentum;
            else if constexpr (requires { method.momentum(model); })
              momentum = method.momentum(model);
            else
              momentum = frame_equations(model).momentum;
            for (auto& name : quadratic_invariants(model, momentum, initial_))
              if (!claims.keeps(name)) claims.invariants.push_back(std::move(name));
          }
          if (spec.composition != Composition::none)
            claims = composed(std::move(claims), spec.composition);
          restrict_to_held(model, claims);
          return claims;
        });
  }

  EndPoint end_point(const MethodSpec& spec, const IntegrationOptions& options, double until,
                     std::int64_t steps, Precision precision) const override {
    for (const FrameInput& input : model_->inputs) {
      const double parts = input.period * static_cast<double>(steps) / until;
      if (std::fabs(parts - std::round(parts)) > 1e-9 * parts)
        throw InputError("input '" + input.name + "' is held for " + std::to_string(input.period) +
                         " s, which is no multiple of every step that this would take");
    }
    switch (precision) {
      case Precision::long_double: return end_as<long double>(spec, options, until, steps);
      case Precision::quad: return end_as<Quad>(spec, options, until, steps);
      default: return end_as<double>(spec, options, until, steps);
    }
  }

  double reversal_defect(const MethodSpec& spec, const IntegrationOptions& options,
                         std::int64_t steps) const override {
    return reversal_defect_of(*stepper<Quad>(spec, options), in<Quad>(initial_.q),
                              in<Quad>(initial_.xi), options.step, steps);
  }

  std::optional<double> symplectic_defect(const MethodSpec& spec,
                                          const IntegrationOptions& options) const override;

  PhaseSpace phase_space() const override {
    PhaseSpace space;
    space.coordinates = model_->coordinates;
    space.start = in<Quad>(initial_.q);
    space.start.insert(space.start.end(), initial_.xi.begin(), initial_.xi.end());
    const FrameModel model = plain();
    space.natural = model.coordinate_frame();
    const FrameEquations equations = frame_equations(model);
    const auto timeless = [&](const Expressions& list) {
      return std::ranges::none_of(list, [&](const Expression& x) {
        return depends_on(x, {&model.t, 1});
      });
    };
    space.autonomous =
        timeless(equations.momentum) && timeless(equations.rate) && timeless(equations.force);
    return space;
  }

  InvariantMap invariant_map() const override {
    return viewed(view(), stepper<double>(MethodSpec::parse("rk4"), {}), model_->q.size());
  }

  std::unique_ptr<StepMap<double>> step_map(const MethodSpec& spec,
                                            const IntegrationOptions& options) const override {
    return std::make_unique<FrameStepMap<double>>(stepper<double>(spec, options),
                                                  model_->coordinates_count(), options.step);
  }
  std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec& spec,
                                               const IntegrationOptions& options) const override {
    return std::make_unique<FrameStepMap<Quad>>(stepper<Quad>(spec, options),
                                                model_->coordinates_count(), Quad(options.step));
  }

  std::shared_ptr<ReducedSpace> reduced_space() const override {
    return std::make_shared<FrameSpace>(plain(), initial_.q, initial_.xi);
  }

  std::optional<FrameBrackets> brackets() const override {
    return bracket_values(plain(), initial_.q);
  }

  std::optional<double> chord_defect(const MethodSpec& spec, const IntegrationOptions& options,
                                     std::int64_t steps) const override;

  std::optional<EndPoint> exact(Quad t) const override {
    if (!model_->exact) return std::nullopt;
    const FrameMotion there =
        model_->exact(numbers_, in<Quad>(initial_.q), in<Quad>(initial_.xi))(t);
    return EndPoint{Status::ok, 0, there.q, there.xi};
  }

 private:
  /// The model with the numbers in it: what is said of a system, and not only computed, is said of
  /// these.
  FrameModel plain() const { return model_->specialised(numbers_); }

  /// With parameters, whose numbers are bound: members of a sweep have the programs of a run.
  std::unique_ptr<FrameView> view() const {
    const auto own = std::make_shared<const FrameModel>(model_->copy());
    auto view = std::make_unique<FrameView>(own, frame_equations(*own), plain().is_timed());
    view->bind(numbers_);
    return view;
  }
  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const MethodSpec& spec,
                                      const IntegrationOptions& options) const {
    const FrameModel own = model_->copy();
    auto stepper = with_chosen_method<AllFrameMethods>(
        own, spec, [&](const auto& method) -> std::unique_ptr<Stepper<S>> {
          if (spec.composition != Composition::none) refuse_composition(spec, method.claims(own));
          const auto driven = [&](std::unique_ptr<Stepper<S>> base) {
            if (own.holds()) base = std::make_unique<DrivenStepper<S>>(own, std::move(base));
            return base;
          };
          return stepper_of<S>(method, own, spec, options, driven);
        });
    if (!stepper->bind(numbers_))
      throw std::logic_error("a stepper in a frame takes no parameters");
    return stepper;
  }

  template <class S>
  EndPoint end_as(const MethodSpec& spec, const IntegrationOptions& options, double until,
                  std::int64_t steps) const {
    const auto stepper = this->stepper<S>(spec, options);
    // A half-node sequence ends at `until` with its last half node.
    const S h = S(until) / (S(static_cast<double>(steps)) + S(stepper->offset()));
    StepperState<S> state;
    EndPoint end;
    if (!stepper->start(in<S>(initial_.q), in<S>(initial_.xi), h, state)) {
      end.status = Status::no_solution;
      return end;
    }
    const auto time = [&] { return S(static_cast<double>(end.steps)) * h; };
    march(*stepper, state, h, steps, options, end);
    const int N = model_->coordinates_count();
    const int m = model_->fields();
    std::vector<S> seen(static_cast<std::size_t>(N + m));
    if (!stepper->observe(state, time(), h, seen.data(), seen.data() + N) &&
        end.status == Status::ok)
      end.status = Status::singular;
    end.q = as_quads(seen.data(), N);
    end.velocity = as_quads(seen.data() + N, m);
    return end;
  }

  std::shared_ptr<const FrameModel> model_;  // frozen
  std::vector<double> numbers_;              // of its parameters
  bool fields_vary_ = false;                 // with them
  FrameInitial initial_;
};

std::optional<double> FrameProblem::chord_defect(const MethodSpec& spec,
                                                 const IntegrationOptions& options,
                                                 std::int64_t steps) const {
  if (model_->coordinates_count() <= model_->fields()) return std::nullopt;
  const FrameModel model = plain();
  const std::vector<Expressions> forms = annihilating_forms(model);
  Expressions entries;
  for (const auto& form : forms) entries.insert(entries.end(), form.begin(), form.end());
  Evaluator<double> evaluate(Program(model.q, entries));
  const auto stepper = this->stepper<double>(spec, options);
  const std::size_t N = model_->q.size();
  const double h = options.step;
  StepperState<double> state;
  std::vector<double> before(N);
  std::vector<double> after(N);
  std::vector<double> middle(N);
  std::vector<double> xi(model_->frame.size());
  std::vector<double> w(entries.size());
  if (!stepper->start(initial_.q, initial_.xi, h, state)) return NAN;
  double worst = 0.0;
  for (std::int64_t k = 0; k < steps; ++k) {
    const double t = static_cast<double>(k) * h;
    if (!stepper->observe(state, t, h, before.data(), xi.data()) ||
        stepper->step(state, t, h).failed() ||
        !stepper->observe(state, t + h, h, after.data(), xi.data()))
      return NAN;
    for (std::size_t b = 0; b < N; ++b) middle[b] = 0.5 * (before[b] + after[b]);
    evaluate(middle.data(), w.data());
    for (std::size_t row = 0; row < w.size(); row += N) {
      double along = 0.0;
      double size = 0.0;
      for (std::size_t b = 0; b < N; ++b) {
        along += w[row + b] * (after[b] - before[b]);
        size += w[row + b] * w[row + b];
      }
      worst = std::max(worst, std::fabs(along) / (std::sqrt(size) * h));
    }
  }
  return worst;
}

/// Central differences in Quad: 1e-20 of error, so exact for our purposes.
std::optional<double> FrameProblem::symplectic_defect(const MethodSpec& spec,
                                                      const IntegrationOptions& options) const {
  if (!model_->unconstrained() || model_->forced() || spec.name == "exact") return std::nullopt;
  const int N = model_->coordinates_count();
  const FrameModel model = plain();
  const Expression L = coordinate_lagrangian(model);
  MomentumInverse<Quad> canonical(
      model, substituted(gradient(L, model.v), model.v, frame_equations(model).velocity));
  const auto stepper = this->stepper<Quad>(spec, options);
  if (stepper->offset() != 0.0) return std::nullopt;
  const auto n = 2 * static_cast<std::size_t>(N);
  std::vector<Quad> z(n);
  const std::vector<Quad> q0 = in<Quad>(initial_.q);
  const std::vector<Quad> xi0 = in<Quad>(initial_.xi);
  std::copy(q0.begin(), q0.end(), z.begin());
  canonical.momentum(q0.data(), xi0.data(), Quad(0), z.data() + N);
  bool defined = true;
  const auto image = [&](const std::vector<Quad>& from) {
    std::vector<Quad> to(n);
    std::vector<Quad> xi = xi0;
    const std::vector<Quad> q(from.begin(), from.begin() + N);
    StepperState<Quad> state;
    const Quad h = options.step;
    defined = defined && canonical(q.data(), from.data() + N, Quad(0), xi.data()) &&
              stepper->start(q, xi, h, state) && !stepper->step(state, Quad(0), h).failed() &&
              stepper->observe(state, h, h, to.data(), xi.data());
    if (defined) canonical.momentum(to.data(), xi.data(), h, to.data() + N);
    return to;
  };
  std::vector<std::vector<Quad>> columns;
  for (std::size_t i = 0; i < n; ++i) {
    const Quad d = 1e-10;
    std::vector<Quad> up = z;
    std::vector<Quad> down = z;
    up[i] += d;
    down[i] -= d;
    const std::vector<Quad> a = image(up);
    const std::vector<Quad> b = image(down);
    if (!defined) return std::nullopt;
    std::vector<Quad> column(n);
    for (std::size_t k = 0; k < n; ++k) column[k] = (a[k] - b[k]) / (2 * d);
    columns.push_back(std::move(column));
  }
  Quad largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Quad form = 0;  // column_iᵀ Ω column_j, Ω = dq∧dp
      for (int b = 0; b < N; ++b) {
        const auto qb = static_cast<std::size_t>(b);
        const auto pb = static_cast<std::size_t>(N) + qb;
        form += columns[i][qb] * columns[j][pb] - columns[i][pb] * columns[j][qb];
      }
      const Quad expected = i + static_cast<std::size_t>(N) == j   ? 1
                            : j + static_cast<std::size_t>(N) == i ? -1
                                                                   : 0;
      largest = max(largest, abs(form - expected));
    }
  return static_cast<double>(largest);
}

}  // namespace

std::unique_ptr<Problem> make_frame_problem(FrameModel model, FrameInitial initial,
                                            bool brackets_checked) {
  return std::make_unique<FrameProblem>(std::move(model), std::move(initial), brackets_checked);
}

void set_default_figure(SystemEntry& entry) {
  const auto has = [&](const char* name) {
    return std::ranges::find(entry.coordinates, name) != entry.coordinates.end();
  };
  const bool plane = has("x") && has("y");
  entry.figure_x = plane ? "x" : "t";
  entry.figure_y = plane ? "y" : entry.coordinates.front();
}

std::vector<MethodInfo> frame_methods(const FrameModel& model) {
  return fitting_methods<AllFrameMethods>(model);
}

std::vector<InvariantInfo> frame_invariants(const FrameModel& model, bool timed) {
  std::vector<InvariantInfo> list = energy_invariants(model.forced(), timed);
  if (model.forced() && !model.inputs.empty())
    list.push_back({"work", "J", "work done by the forces", "it is what the forces do"});
  for (const auto& i : model.invariants) list.push_back({i.name, i.unit, i.description});
  return list;
}

std::vector<InvariantInfo> frame_invariants(const FrameModel& model) {
  return frame_invariants(model, model.is_timed());
}

}  // namespace hamel
