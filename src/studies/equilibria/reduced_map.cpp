// SPDX-License-Identifier: BSD-3-Clause

#include "reduced_map.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/solve/eigenvalues.hpp"

namespace hamel::reduced {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Quad dot(const State& a, const State& b) {
  Quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

bool finite(const State& x) {
  return std::ranges::all_of(x, [](const Quad& v) { return v - v == Quad(0); });
}

constexpr double zero_rate = 1e-8;   // of |A − 1|/h, see resolution()
constexpr double zero_part = 1e-10;  // of the largest singular value
constexpr double zero_change = 1e-14;

}  // namespace

Quad norm(const State& x) { return sqrt(dot(x, x)); }
Quad norm(const Matrix& a) { return norm(a.values); }

Matrix restricted(const Matrix& a, const std::vector<State>& columns) {
  const int n = static_cast<int>(columns.size());
  Matrix out(n, n);
  for (int j = 0; j < n; ++j) {
    State image(index(a.rows));
    for (int i = 0; i < a.rows; ++i)
      for (int k = 0; k < a.columns; ++k) image[index(i)] += a(i, k) * columns[index(j)][index(k)];
    for (int i = 0; i < n; ++i) out(i, j) = dot(columns[index(i)], image);
  }
  return out;
}

std::optional<State> Map::image(const State& z, const State& turning) {
  if (!step_(z, to_) || !finite(to_)) return std::nullopt;
  if (turning.empty()) return space_.coordinates(to_);
  State back = turning;
  for (Quad& x : back) x *= -h_;
  return space_.coordinates(space_.turned(to_, back));
}

std::optional<State> Map::residual(const State& z, const State& turning) {
  auto there = image(z, turning);
  if (!there) return std::nullopt;
  const State here = space_.coordinates(z);
  for (std::size_t i = 0; i < here.size(); ++i) (*there)[i] = ((*there)[i] - here[i]) / h_;
  return there;
}

std::optional<Matrix> Map::derivative(const State& turning, Differences differences) {
  const int d = space_.dimension();
  const Quad by = differences == Differences::two ? 1e-10 : 1e-6;
  Matrix A(d, d);
  for (int j = 0; j < d; ++j) {
    const auto at = [&](const Quad& x) {
      State c(index(d));
      c[index(j)] = x;
      return image(space_.at(c), turning);
    };
    const auto up = at(by);
    const auto down = at(-by);
    if (!up || !down) return std::nullopt;
    for (int i = 0; i < d; ++i) A(i, j) = ((*up)[index(i)] - (*down)[index(i)]) / (2 * by);
    if (differences == Differences::two) continue;
    const auto twice = at(2 * by);
    const auto back = at(-2 * by);
    if (!twice || !back) return std::nullopt;
    for (int i = 0; i < d; ++i)  // (4 D(by) − D(2 by))/3
      A(i, j) = (4 * A(i, j) - ((*twice)[index(i)] - (*back)[index(i)]) / (4 * by)) / 3;
  }
  return A;
}

std::optional<Matrix> Map::by_turning(const State& turning) {
  const int d = space_.dimension();
  const int g = static_cast<int>(turning.size());
  const Quad by = Quad(1e-10) / h_;
  Matrix out(d, g);
  for (int a = 0; a < g; ++a) {
    State more = turning;
    State less = turning;
    more[index(a)] += by;
    less[index(a)] -= by;
    const auto up = residual(space_.base(), more);
    const auto down = residual(space_.base(), less);
    if (!up || !down) return std::nullopt;
    for (int i = 0; i < d; ++i) out(i, a) = ((*up)[index(i)] - (*down)[index(i)]) / (2 * by);
  }
  return out;
}

int rank_of(const SingularValues<Quad>& J, const Quad& h) {
  if (J.s.empty()) return 0;
  const Quad zero = max(Quad(zero_part) * J.s.front(), Quad(zero_change) / h);
  return static_cast<int>(std::ranges::count_if(J.s, [&](const Quad& s) { return s > zero; }));
}

Quad Fixed::of(const State& z, const State& turning) const {
  switch (kind) {
    case Kind::component: return z[index];
    case Kind::turning: return turning.size() == 1 ? turning.front() : norm(turning);
    default: return norm(State(z.begin() + static_cast<std::ptrdiff_t>(index), z.end()));
  }
}

Matrix residual_derivative(const Matrix& A, const Matrix& by_turning, const Quad& h) {
  const int d = A.rows;
  const int g = by_turning.columns;
  Matrix J(d, d + g);
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) J(i, j) = (A(i, j) - (i == j ? 1 : 0)) / h;
    for (int a = 0; a < g; ++a) J(i, d + a) = by_turning(i, a);
  }
  return J;
}

void best_turning(Map& map, const State& z, State& turning) {
  if (turning.empty()) return;
  Quad last = HUGE_VAL;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const auto F = map.residual(z, turning);
    const auto J = map.by_turning(turning);
    if (!F || !J) return;
    const auto parts = singular_values(J->values, J->rows, J->columns);
    State by(turning.size());
    for (int j = 0; j < parts.rank(zero_part); ++j)
      for (std::size_t a = 0; a < by.size(); ++a)
        by[a] -= dot(parts.u[index(j)], *F) / parts.s[index(j)] * parts.v[index(j)][a];
    const Quad change = norm(by);
    if (!(change < last)) break;
    for (std::size_t a = 0; a < by.size(); ++a) turning[a] += by[a];
    last = change;
    if (change <= Quad(1e-30) * norm(turning)) break;
  }
}

bool orthonormalised(State& x, const std::vector<State>& basis, double least) {
  for (int again = 0; again < 2; ++again)  // twice: the first pass leaves round-off
    for (const State& b : basis) {
      const Quad along = dot(b, x);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * b[i];
    }
  const Quad size = norm(x);
  if (!(size > Quad(least))) return false;
  for (Quad& value : x) value /= size;
  return true;
}

Orbit orbit(const ReducedSpace& space) {
  const int d = space.dimension();
  const int g = space.group();
  Orbit found;
  State columns(index(d * g));
  Quad moves = 0;
  for (int a = 0; a < g; ++a) {
    const State by = space.generator(a);
    for (int i = 0; i < d; ++i) columns[index(i * g + a)] = by[index(i)];
    moves = max(moves, norm(by));
  }
  // A rotation turns unit vectors by amounts of size one, or not at all.
  if (g > 0) found.generators = singular_values(columns, d, g);
  for (int a = 0; a < g; ++a)
    if (found.generators.s[index(a)] > Quad(zero_part))
      found.along.push_back(found.generators.u[index(a)]);
  std::vector<State> basis = found.along;
  for (int j = 0; j < d; ++j) {
    State e(index(d));
    e[index(j)] = 1;
    if (static_cast<int>(basis.size()) == d || !orthonormalised(e, basis, 1e-3)) continue;
    basis.push_back(e);
    found.across.push_back(std::move(e));
  }
  return found;
}

State Orbit::effective(const State& turning) const {
  State out(turning.size());
  for (std::size_t a = 0; a < along.size(); ++a) {
    const Quad part = dot(generators.v[a], turning);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += part * generators.v[a][i];
  }
  return out;
}

namespace {

/// How far rates must be from zero to be told from it, as a part of what the largest need: an error
/// of 1e-24 in A moves an eigenvalue of multiplicity m by its m-th root.
double resolution(const std::vector<Eigenvalue<Quad>>& all, const Eigenvalue<Quad>& of,
                  const Quad& size) {
  int near = 0;
  for (const auto& mu : all) near += hypot(mu.re - of.re, mu.im - of.im) <= size * 1e-6 ? 1 : 0;
  constexpr double by_multiplicity[] = {1e-8, 1e-3};
  return near <= 2 ? by_multiplicity[near - 1] : 1.0;
}

}  // namespace

Spectrum spectrum(const Matrix& A, const Quad& h, bool rates) {
  Spectrum found;
  Matrix less = A;
  for (int i = 0; i < A.rows; ++i) less(i, i) -= 1;
  const Quad zero = max(Quad(zero_rate) * norm(less), Quad(zero_change)) / h;
  std::vector<Eigenvalue<Quad>> all = eigenvalues(A.values, A.rows);
  const auto rate_of = [&](const Eigenvalue<Quad>& mu) {
    const Quad size = hypot(mu.re, mu.im);
    return rates ? log(size) / h : (size - 1) / h;
  };
  std::ranges::sort(all, [&](const auto& a, const auto& b) {
    const Quad difference = rate_of(a) - rate_of(b);
    if (abs(difference) > zero) return difference > 0;
    return abs(a.im) != abs(b.im) ? abs(a.im) > abs(b.im) : a.im > b.im;
  });
  int zeros = 0;
  int on_circle = 0;
  bool any = false;
  for (const auto& mu : all) {
    const Quad rate = rate_of(mu);
    const Quad turn = atan2(mu.im, mu.re) / h;
    if (rates)
      found.values.emplace_back(static_cast<double>(rate), static_cast<double>(turn));
    else
      found.values.emplace_back(static_cast<double>(mu.re), static_cast<double>(mu.im));
    if (hypot(rate, turn) <= zero) {
      ++zeros;
      continue;
    }
    found.growth =
        any ? std::fmax(found.growth, static_cast<double>(rate)) : static_cast<double>(rate);
    any = true;
    const Quad least = zero * resolution(all, mu, norm(less));
    if (rate > least) ++found.unstable;
    if (abs(rate) <= least) ++on_circle;
  }
  const int nullity = A.rows - rank_of(singular_values(less.values, A.rows, A.rows), Quad(1));
  if (found.unstable > 0)
    found.stability = Stability::unstable;
  else if (any && on_circle == 0 && nullity == zeros)
    found.stability = Stability::attracting;
  return found;
}

}  // namespace hamel::reduced
