// SPDX-License-Identifier: BSD-3-Clause
// The equilibrium of a method near one of the system: across the family, F of the method vanishes.
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/solve/dense.hpp"
#include "reduced_map.hpp"

namespace hamel::reduced {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

constexpr int most_iterations = 40;

/// (y, α) ↦ F(z, ω) − Wα, (z, ω) = base + V y: V leads off the family, W along it.
class AcrossFamily {
 public:
  AcrossFamily(Map& map, const State& turning, const FamilyDirections& family)
      : map_(map),
        turning_(turning),
        family_(family),
        n_(static_cast<int>(family.across.size() + family.along.size())) {}

  ReducedState at(const State& x) const {
    State c(index(map_.space().dimension()));
    ReducedState to{{}, turning_};
    for (std::size_t j = 0; j < family_.across.size(); ++j) {
      const State& v = family_.across[j];
      for (std::size_t i = 0; i < c.size(); ++i) c[i] += x[j] * v[i];
      for (std::size_t a = 0; a < to.turning.size(); ++a) to.turning[a] += x[j] * v[c.size() + a];
    }
    to.z = map_.space().at(c);
    return to;
  }

  std::optional<State> operator()(const State& x) {
    const ReducedState there = at(x);
    auto F = map_.residual(there.z, there.turning);
    for (std::size_t b = 0; F && b < family_.along.size(); ++b)
      for (std::size_t i = 0; i < F->size(); ++i)
        (*F)[i] -= x[family_.across.size() + b] * family_.along[b][i];
    return F;
  }

  /// Where it vanishes; nothing where Newton's iteration does not get there.
  std::optional<State> root() {
    State x(index(n_));
    if (n_ == 0) return x;
    auto F = (*this)(x);
    std::vector<int> pivot(x.size());
    std::optional<State> factors;
    for (int iteration = 0; F && iteration < most_iterations; ++iteration) {
      if (!factors) factors = factored(x, pivot);
      if (!factors) return std::nullopt;
      State by = *F;
      lu_solve(factors->data(), n_, pivot.data(), by.data());
      State next = x;
      for (std::size_t j = 0; j < x.size(); ++j) next[j] -= by[j];
      const auto F_next = (*this)(next);
      if (!F_next) return std::nullopt;
      const Quad before = norm(*F);
      const Quad after = norm(*F_next);
      const bool small = norm(by) <= Quad(1e-20) * (1 + norm(map_.space().base()));
      if (!(after < before)) return small ? std::optional(x) : std::nullopt;  // round-off reached
      x = next;
      F = F_next;
      if (after == Quad(0)) return x;
      if (after > before / 100) factors.reset();  // the matrix has become old
    }
    return std::nullopt;
  }

 private:
  std::optional<State> factored(const State& x, std::vector<int>& pivot) {
    const Quad d = 1e-10;
    State a(index(n_ * n_));
    for (int j = 0; j < n_; ++j) {
      State more = x;
      State less = x;
      more[index(j)] += d;
      less[index(j)] -= d;
      const auto up = (*this)(more);
      const auto down = (*this)(less);
      if (!up || !down) return std::nullopt;
      for (int i = 0; i < n_; ++i)
        a[index(i * n_ + j)] = ((*up)[index(i)] - (*down)[index(i)]) / (2 * d);
    }
    if (!lu_factor(a.data(), n_, pivot.data())) return std::nullopt;
    return a;
  }

  Map& map_;
  const State& turning_;
  const FamilyDirections& family_;
  int n_;
};

}  // namespace

FamilyDirections family_directions(const SingularValues<Quad>& J, int rank, const Orbit& orbit) {
  const auto k = static_cast<std::ptrdiff_t>(rank);
  const auto d = static_cast<std::size_t>(J.rows);
  FamilyDirections found;
  found.across.assign(J.v.begin(), J.v.begin() + k);
  const std::vector<State> range(J.u.begin(), J.u.begin() + k);
  std::vector<State> basis = orbit.along;
  for (std::size_t j = index(rank); j < J.v.size(); ++j) {  // null directions, less the group's
    State c(J.v[j].begin(), J.v[j].begin() + static_cast<std::ptrdiff_t>(d));
    if (!orthonormalised(c, basis, 1e-6)) continue;
    basis.push_back(c);
    found.along.push_back(std::move(c));
  }
  // They must lead out of the range of J. Where an eigenvalue 0 is not semisimple they do not, and
  // directions across the range take their place.
  State all;
  for (std::size_t i = 0; i < d; ++i) {
    for (const State& u : range) all.push_back(u[i]);
    for (const State& t : found.along) all.push_back(t[i]);
  }
  const auto both =
      singular_values(all, J.rows, static_cast<int>(range.size() + found.along.size()));
  if (range.size() + found.along.size() == d && (d == 0 || both.s.back() > Quad(1e-3)))
    return found;
  found.along.clear();
  basis = range;
  for (std::size_t i = 0; i < d && basis.size() < d; ++i) {
    State e(d);
    e[i] = 1;
    if (!orthonormalised(e, basis, 1e-3)) continue;
    basis.push_back(e);
    found.along.push_back(std::move(e));
  }
  return found;
}

void study_method(ReducedSpace& space, StepMap<Quad>& step, const Quad& h, const ReducedState& of,
                  const FamilyDirections& directions, MethodAtEquilibrium& out) {
  Map map(space, step, h);
  ReducedState own{space.base(), of.turning};
  best_turning(map, own.z, own.turning);
  const auto left = map.residual(own.z, own.turning);
  if (!left) throw NumericalError("its step fails there");
  out.symmetry = static_cast<double>(space.symmetry_defect(step));
  out.defect = static_cast<double>(norm(*left));
  const State turning = own.turning;
  AcrossFamily family(map, turning, directions);
  if (const auto x = family.root()) {
    own = family.at(*x);
    out.shift = static_cast<double>(norm(space.coordinates(own.z)));
  }
  space.base_at(own.z);
  const auto F = map.residual(space.base(), own.turning);
  const auto A = map.derivative(own.turning, Differences::four);
  if (!F || !A) throw NumericalError("its step fails there");
  out.drift = static_cast<double>(norm(*F));
  State to(own.z.size());
  State back = own.turning;
  for (Quad& x : back) x *= -h;
  if (step(space.base(), to)) to = space.turned(to, back);
  for (const auto& [name, i] : space.components())
    out.rates.emplace_back(name, static_cast<double>((to[i] - space.base()[i]) / h));
  for (std::size_t c = 0; c < 3 && !space.axes().empty(); ++c) {
    Quad sum = 0;
    for (std::size_t a = 0; a < own.turning.size(); ++a) sum += own.turning[a] * space.axes()[a][c];
    out.turning.push_back(static_cast<double>(sum));
  }
  const Spectrum found = spectrum(restricted(*A, orbit(space).across), h, false);
  out.multipliers = found.values;
  out.growth = found.growth;
  out.unstable = found.unstable;
  out.stability = found.stability;
}

}  // namespace hamel::reduced
