// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hamel/core/error.hpp"
#include "hamel/studies/equilibria.hpp"

namespace hamel {

namespace {

struct Known {
  double value;
  ReducedState state;
};

/// One side of the family, from its first point on.
class Walk {
 public:
  Walk(const FamilyPlan& plan, Known first) : plan_(plan), last_(std::move(first)) {}

  /// The point at `value`; throws NumericalError where no step leads there.
  Equilibrium to(double value) {
    constexpr int most_halvings = 12;
    int halvings = 0;
    double next = value;
    while (true) {
      try {
        Equilibrium found = attempt(next);
        before_ = last_;
        last_ = {next, found.state};
        if (next == value) return found;
        next = value;
      } catch (const NumericalError&) {
        if (++halvings > most_halvings || next == last_.value) throw;
        next = 0.5 * (last_.value + next);
      }
    }
  }

  double reached() const { return last_.value; }

 private:
  Equilibrium attempt(double value) {
    EquilibriumFinder& finder = plan_.finder(value);
    const auto prescribed =
        plan_.component ? std::optional(Prescribed{*plan_.component, value}) : std::nullopt;
    if (!before_) return finder.find(last_.state, prescribed);
    const double t = (value - last_.value) / (last_.value - before_->value);
    const ReducedState guess = finder.beyond(before_->state, last_.state, t);
    Equilibrium found = finder.find(guess, prescribed);
    // A correction as long as the step leads to another family.
    const double step = finder.distance(guess, last_.state);
    const double correction = finder.distance(found.state, guess);
    if (correction > 1e-6 + 0.5 * step)
      throw NumericalError(
          fmt::format("no relative equilibrium at {:.6g} that continues the family", value));
    return found;
  }

  const FamilyPlan& plan_;
  Known last_;
  std::optional<Known> before_;
};

}  // namespace

EquilibriumFamily follow(const FamilyPlan& plan, const ReducedState& guess) {
  const auto nearest = std::ranges::min_element(
      plan.values, {}, [&](double v) { return std::fabs(v - plan.begin); });
  const auto begin = static_cast<std::size_t>(nearest - plan.values.begin());
  std::map<std::size_t, Equilibrium> points;
  const auto add = [&](std::size_t i, Equilibrium found) {
    plan.finder(plan.values[i]).study(found, plan.methods);
    points.emplace(i, std::move(found));
  };
  const auto going_on = [&] { return !plan.go_on || plan.go_on(points.size()); };

  EquilibriumFamily family;
  if (!going_on()) return family;
  Walk first(plan, {plan.begin, guess});
  add(begin, first.to(plan.values[begin]));
  for (const int direction : {1, -1}) {
    Walk walk(plan, {plan.values[begin], points.at(begin).state});
    for (auto i = static_cast<std::ptrdiff_t>(begin) + direction;
         i >= 0 && i < std::ssize(plan.values) && going_on(); i += direction) {
      const auto at = static_cast<std::size_t>(i);
      try {
        add(at, walk.to(plan.values[at]));
      } catch (const NumericalError& error) {
        family.ends.push_back(
            fmt::format("the family was followed to {:.6g}: {}", walk.reached(), error.what()));
        break;
      }
    }
  }
  for (auto& [i, point] : points) {
    family.values.push_back(plan.values[i]);
    family.points.push_back(std::move(point));
  }
  return family;
}

}  // namespace hamel
