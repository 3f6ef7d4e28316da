// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "equilibrium_parts.hpp"
#include "hamel/core/error.hpp"

namespace hamel {

using reduced::Differences;
using reduced::Map;
using reduced::Matrix;
using reduced::norm;
using State = ReducedSpace::State;

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

constexpr int largest_dimension = 48;  // 12 links: every row of the matrix is a step in Quad

/// Numbers smaller than what a search leaves are zero.
std::vector<double> cleaned(const State& x) {
  std::vector<double> list;
  for (const Quad& v : x) list.push_back(abs(v) < Quad(1e-24) ? 0.0 : static_cast<double>(v));
  return list;
}

Quad dot(const State& a, const State& b) {
  Quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

const char* to_string(Stability stability) {
  switch (stability) {
    case Stability::attracting: return "attracting";
    case Stability::neutral: return "neutral";
    default: return "unstable";
  }
}

EquilibriumFinder::EquilibriumFinder(const Problem& problem, double step)
    : parts_(std::make_unique<Parts>(problem, step)) {
  Parts& p = *parts_;
  if (!p.phase.autonomous)
    throw InputError("the system depends on time (a drive, or t in a formula): no equilibria");
  p.space->base_at(p.phase.start);
  if (p.space->dimension() > largest_dimension)
    throw InputError(fmt::format("the reduced phase space has {} dimensions, more than {}",
                                 p.space->dimension(), largest_dimension));
  p.choose_short_step(p.phase.start);
  p.space->find_axes(*p.flow, p.phase.start);
}

EquilibriumFinder::~EquilibriumFinder() = default;

void EquilibriumFinder::stop_when(const std::atomic<bool>* stop) { parts_->stop = stop; }

ReducedState EquilibriumFinder::start() const {
  ReducedState at{parts_->phase.start, State(index(parts_->space->group()))};
  parts_->space->base_at(at.z);
  Map map = parts_->map();
  reduced::best_turning(map, at.z, at.turning);
  return at;
}

std::vector<ReducedState> EquilibriumFinder::starts() const {
  ReducedSpace& space = *parts_->space;
  const PhaseSpace& phase = parts_->phase;
  std::vector<ReducedState> list;
  const State still(index(space.group()));
  if (phase.spheres > 0) {
    constexpr int most = 8;
    if (phase.spheres > most)
      throw InputError(
          fmt::format("{} spheres have 2^{} straight states, too many to look at; "
                      "{} are the most",
                      phase.spheres, phase.spheres, most));
    for (int up = 0; up < 1 << phase.spheres; ++up) {
      State z(phase.size());
      for (int i = 0; i < phase.spheres; ++i) z[index(3 * i + 2)] = (up >> i) % 2 == 0 ? -1 : 1;
      list.push_back({std::move(z), still});
    }
    return list;
  }
  constexpr int scattered = 64;
  std::minstd_rand random(17);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  space.base_at(phase.start);
  for (int k = 0; k < scattered; ++k) {
    State c(index(space.dimension()));
    for (Quad& x : c) x = uniform(random);
    State z = space.at(c);
    if (k % 2 == 0)
      for (std::size_t i = parts_->velocities(); i < z.size(); ++i) z[i] = 0;
    list.push_back({std::move(z), still});
  }
  return list;
}

std::vector<std::string> EquilibriumFinder::components() const { return parts_->names(); }

void EquilibriumFinder::check_component(const std::string& name) const { parts_->checked(name); }

double EquilibriumFinder::value(const std::string& component, const ReducedState& of) const {
  return static_cast<double>(parts_->checked(component).of(of.z, of.turning));
}

const ReducedSpace& EquilibriumFinder::space() const { return *parts_->space; }

ReducedState EquilibriumFinder::beyond(const ReducedState& a, const ReducedState& b, double t) {
  ReducedSpace& space = *parts_->space;
  space.base_at(b.z);
  State c = space.coordinates(a.z);
  for (Quad& x : c) x *= -Quad(t);
  ReducedState to{space.at(c), b.turning};
  for (std::size_t i = 0; i < to.turning.size(); ++i)
    to.turning[i] += Quad(t) * (b.turning[i] - a.turning[i]);
  return to;
}

double EquilibriumFinder::distance(const ReducedState& a, const ReducedState& b) {
  parts_->space->base_at(b.z);
  return static_cast<double>(norm(parts_->space->coordinates(a.z)));
}

Equilibrium EquilibriumFinder::find(const ReducedState& guess,
                                    const std::optional<Prescribed>& prescribed) {
  Parts& p = *parts_;
  ReducedSpace& space = *p.space;
  std::optional<reduced::Fixed> fixed;
  if (prescribed) {
    reduced::Fixed component = p.checked(prescribed->name);
    component.value = Quad(prescribed->value);
    fixed = component;
  }
  const std::string where =
      prescribed ? fmt::format(" with {} = {:.6g}", prescribed->name, prescribed->value) : "";
  reduced::Found found = fixed ? p.search(guess, fixed) : p.near(guess);
  if (!found.reached)
    throw NumericalError(fmt::format(
        "no relative equilibrium found{}: after {} iterations the reduced state still changes at "
        "the rate {:.2g} 1/s",
        where, found.iterations, static_cast<double>(found.left)));
  // Turning that moves nothing is none.
  space.base_at(found.state.z);
  found.state.z = space.base();
  State& turning = found.state.turning;
  const State effective = reduced::orbit(space).effective(turning);
  if (fixed && fixed->kind == reduced::Fixed::Kind::turning && norm(effective) < norm(turning) / 2)
    throw NumericalError(fmt::format(
        "no relative equilibrium found{}: what is there stands upright or hangs, and turning means "
        "nothing",
        where));
  turning = effective;

  Equilibrium out;
  out.state = found.state;
  out.iterations = found.iterations;
  out.residual = static_cast<double>(found.left);
  const std::vector<double> z = cleaned(found.state.z);
  const auto half = static_cast<std::ptrdiff_t>(p.velocities());
  out.q.assign(z.begin(), z.begin() + half);
  out.velocity.assign(z.begin() + half, z.end());
  if (p.phase.spheres > 0) out.turning.assign(3, 0.0);
  for (std::size_t a = 0; a < turning.size(); ++a)
    for (std::size_t c = 0; c < 3; ++c)
      out.turning[c] += static_cast<double>(turning[a] * space.axes()[a][c]);
  return out;
}

void EquilibriumFinder::study(Equilibrium& at, const std::vector<MethodSpec>& methods) {
  Parts& p = *parts_;
  ReducedSpace& space = *p.space;
  p.choose_short_step(at.state.z);
  space.base_at(at.state.z);
  Map map = p.map();
  const auto A = map.derivative(at.state.turning, Differences::four);
  const auto by = map.by_turning(at.state.turning);
  if (!A || !by) throw NumericalError("the equations of motion cannot be solved at an equilibrium");
  const int d = A->rows;
  const int g = space.group();
  const reduced::Orbit orbit = reduced::orbit(space);
  const reduced::Spectrum found =
      reduced::spectrum(reduced::restricted(*A, orbit.across), map.h(), true);
  at.eigenvalues = found.values;
  at.growth = found.growth;
  at.unstable = found.unstable;
  at.stability = found.stability;

  const Matrix J = reduced::residual_derivative(*A, *by, map.h());
  const auto parts = singular_values(J.values, d, d + g);
  const int rank = reduced::rank_of(parts, map.h());
  at.family = d - rank;
  at.tangent.clear();
  if (at.family > 0) {
    // The null directions, less what the group does, as changes of the components.
    const Quad tiny = 1e-10;
    std::vector<ReducedState> moved;
    for (int j = rank; j < d + g; ++j) {
      State c(parts.v[index(j)].begin(), parts.v[index(j)].begin() + d);
      for (const State& along : orbit.along) {
        const Quad part = dot(along, c);
        for (std::size_t i = 0; i < c.size(); ++i) c[i] -= part * along[i];
      }
      for (Quad& x : c) x *= tiny;
      State turning =
          orbit.effective(State(parts.v[index(j)].begin() + d, parts.v[index(j)].end()));
      for (std::size_t a = 0; a < turning.size(); ++a)
        turning[a] = at.state.turning[a] + tiny * turning[a];
      moved.push_back({space.at(c), std::move(turning)});
    }
    for (const std::string& name : components()) {
      const reduced::Fixed component = p.checked(name);
      const Quad here = component.of(space.base(), at.state.turning);
      Quad sum = 0;
      for (const ReducedState& there : moved) {
        const Quad change = (component.of(there.z, there.turning) - here) / tiny;
        sum += change * change;
      }
      at.tangent.emplace_back(name, static_cast<double>(sqrt(sum)));
    }
  }

  const reduced::FamilyDirections directions = reduced::family_directions(parts, rank, orbit);
  at.methods.clear();
  for (const MethodSpec& spec : methods) {
    MethodAtEquilibrium m;
    m.method = spec.text;
    try {
      reduced::study_method(space, p.map_of(spec), Quad(p.step), at.state, directions, m);
    } catch (const InputError& error) {
      m.failure = error.what();
    } catch (const NumericalError& error) {
      m.failure = error.what();
    }
    at.methods.push_back(std::move(m));
    space.base_at(at.state.z);
  }
}

}  // namespace hamel
