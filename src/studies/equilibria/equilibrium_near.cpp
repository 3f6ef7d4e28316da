// SPDX-License-Identifier: BSD-3-Clause
// From a guess to an equilibrium near by.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "equilibrium_parts.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/words.hpp"

namespace hamel {

using reduced::Fixed;
using reduced::Found;

StepMap<Quad>& EquilibriumFinder::Parts::map_of(const MethodSpec& spec) {
  auto& map = methods[spec.text];
  if (!map) {
    if (problem.claims(spec).adaptive)
      throw InputError("its steps adapt: it has no multipliers at a step h");
    map = problem.step_map_quad(spec, {step, false, {}});
  }
  return *map;
}

// Four stages have an error below (h₀L)⁸/10⁹ of the rates; L is the size of the linear system.
void EquilibriumFinder::Parts::choose_short_step(const State& z) {
  constexpr double wanted = 0.01;  // h₀L
  if (short_step == 0.0) short_step = step;
  for (int attempt = 0; attempt < 12; ++attempt) {
    if (!flow)
      flow = problem.step_map_quad(MethodSpec::parse("gauss(stages=4)"), {short_step, false, {}});
    space->base_at(z);
    auto A = map().derivative(State(space->axes().size()), reduced::Differences::two);
    if (!A) {
      short_step /= 16;
      flow.reset();
      continue;
    }
    for (int i = 0; i < A->rows; ++i) (*A)(i, i) -= 1;
    const auto size = static_cast<double>(reduced::norm(*A));
    if (size <= 2 * wanted) return;
    short_step *= std::fmax(1e-3, wanted / size);
    flow.reset();
  }
  throw NumericalError("the equations of motion cannot be solved near the initial state");
}

std::size_t EquilibriumFinder::Parts::velocities() const {
  return phase.spheres > 0 ? phase.size() / 2 : phase.coordinates.size();
}

std::vector<std::string> EquilibriumFinder::Parts::names() const {
  std::vector<std::string> list;
  if (space->group() > 0) list.emplace_back("Omega");
  for (const auto& c : space->components()) list.push_back(c.name);
  return list;
}

Fixed EquilibriumFinder::Parts::checked(const std::string& name) const {
  for (const auto& c : space->components())
    if (c.name == name) return {Fixed::Kind::component, c.index};
  if (name == "Omega" && space->group() > 0) return {Fixed::Kind::turning, 0};
  const auto cyclic = space->cyclic();
  if (std::ranges::find(cyclic, name) != cyclic.end())
    throw InputError(fmt::format(
        "--along {}: the equations of motion do not contain it; it has every value", name));
  throw InputError(fmt::format("--along '{}': no such component; there are {}{}", clipped(name),
                               list_of_words(names()), did_you_mean(name, names())));
}

Found EquilibriumFinder::Parts::search(const ReducedState& guess, const std::optional<Fixed>& fixed,
                                       bool far) {
  return reduced::search(*space, *flow, Quad(short_step), guess, fixed, far, stop);
}

Found EquilibriumFinder::Parts::near(const ReducedState& guess) {
  constexpr double close = 0.5;
  Found best = search(guess, {});
  const auto distance = [&](const Found& found) { return apart(found.state.z, guess.z); };
  const auto consider = [&](const Found& other) {
    if (other.reached && (!best.reached || distance(other) < distance(best))) best = other;
  };
  if (!best.reached || distance(best) > close) consider(search(guess, {}, true));
  if (!best.reached || distance(best) > close) consider(at_rest(guess));
  if (!best.reached) return best;
  if (tells_nothing(best, guess))
    if (const Found moving = at_speed_of(guess); moving.reached) best = moving;
  reduced::move_nearest(*space, *flow, Quad(short_step), guess, best, stop);
  return best;
}

double EquilibriumFinder::Parts::apart(const State& a, const State& b) const {
  Quad sum = 0;
  for (const auto& [name, i] : space->components()) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return static_cast<double>(sqrt(sum));
}

/// Where the system comes to rest if its motion is taken away whenever it gets slower; nothing
/// where it does not.
std::optional<ReducedSpace::State> EquilibriumFinder::Parts::settled(const State& from) const {
  constexpr int most_steps = 20000;
  const auto map = problem.step_map(MethodSpec::parse("gauss(stages=2)"), {step, false, {}});
  const auto first = static_cast<std::ptrdiff_t>(velocities());
  std::vector<double> z;
  for (const Quad& x : from) z.push_back(static_cast<double>(x));
  std::vector<double> next(z.size());
  const auto stop_moving = [&] { std::fill(z.begin() + first, z.end(), 0.0); };
  stop_moving();
  double last = 0.0;
  double fastest = 0.0;
  double lately = 0.0;
  for (int n = 1; n <= most_steps && !stopped(); ++n) {
    if (!(*map)(z, next)) return std::nullopt;
    z = next;
    double speed = 0.0;
    for (auto i = z.begin() + first; i != z.end(); ++i) speed = std::hypot(speed, *i);
    if (!(speed < 1e100)) return std::nullopt;
    fastest = std::fmax(fastest, speed);
    lately = std::fmax(lately, speed);
    const bool slower = speed < last;
    last = slower ? 0.0 : speed;
    if (slower) stop_moving();
    if (n % 500 == 0) {
      if (lately <= 1e-6 * fastest) return State(z.begin(), z.end());
      lately = 0.0;
    }
  }
  return std::nullopt;
}

Found EquilibriumFinder::Parts::at_rest(const ReducedState& guess) {
  const auto z = settled(guess.z);
  if (!z) return {};
  // Round-off has led off the leaf; from the guess one stays on it.
  ReducedState there{guess.z, State(guess.turning.size())};
  for (int i = 0; i < 8; ++i) {
    space->base_at(there.z);
    there.z = space->at(space->coordinates(*z));
  }
  return search(there, {});
}

/// Where nothing but its own motion drives a system, rest is an equilibrium at which the linear
/// system vanishes, and Newton's iteration likes to end there.
bool EquilibriumFinder::Parts::tells_nothing(const Found& found, const ReducedState& guess) const {
  const Fixed speed{Fixed::Kind::speed, velocities()};
  const Quad before = speed.of(guess.z, {});
  return before > Quad(0) && speed.of(found.state.z, {}) <= Quad(1e-6) * before &&
         found.slope * Quad(step) <= Quad(1e-9);
}

/// One that moves as fast as the guess.
Found EquilibriumFinder::Parts::at_speed_of(const ReducedState& guess) {
  Fixed speed{Fixed::Kind::speed, velocities()};
  speed.value = speed.of(guess.z, {});
  return search(guess, speed);
}

}  // namespace hamel
