// SPDX-License-Identifier: BSD-3-Clause

#include "spheres_symplectic.hpp"

#include <algorithm>

#include "hamel/expressions/program.hpp"
#include "hamel/geometry/sphere.hpp"

namespace hamel {

std::optional<std::vector<Quad>> symplectic_inertia(const SpheresModel& model) {
  constexpr int most = 300;  // spheres: the matrix is dense
  if (model.n > most || model.forced()) return std::nullopt;
  const auto n = static_cast<std::size_t>(model.n);
  std::vector<Quad> m(n * n);
  if (model.chain) {
    const Chain& chain = *model.chain;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Quad below = 0;
        for (std::size_t k = std::max(i, j); k < n; ++k) below += Quad(chain.masses[k]);
        m[i * n + j] = below * Quad(chain.lengths[i]) * Quad(chain.lengths[j]);  // [MATH 6.2]
      }
    return m;
  }
  const auto formulas = model.formulas();
  const SpheresFormulas& f = *formulas;
  if (!f.constant_inertia()) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Evaluator<Quad> value(Program({}, {&f.inertia[i][j], 1}));
      value(nullptr, &m[i * n + j]);
    }
  return m;
}

std::optional<double> spheres_symplectic_defect(const std::vector<Quad>& inertia,
                                                Stepper<Quad>& stepper, const std::vector<Quad>& q0,
                                                const std::vector<Quad>& v0, const Quad& h) {
  constexpr int most_moved = 8;
  const auto N = static_cast<int>(q0.size());
  const int n = N / 3;
  using V3 = Vec<Quad, 3>;
  const auto entry = [&](int i, int j) { return inertia[static_cast<std::size_t>(i * n + j)]; };
  struct Point {
    std::vector<Quad> q, v;
  };
  const auto momentum = [&](const Point& at) {
    std::vector<Quad> mu(static_cast<std::size_t>(N));
    for (int i = 0; i < n; ++i) {
      V3 sum{};
      for (int j = 0; j < n; ++j) sum = sum + entry(i, j) * vec_at(at.v.data(), j);
      put(mu.data(), i, tangent_part(vec_at(at.q.data(), i), sum));
    }
    return mu;
  };
  bool defined = true;
  const auto image = [&](const Point& from) {
    StepperState<Quad> state;
    Point to = from;
    defined = defined && stepper.start(from.q, from.v, h, state) &&
              !stepper.step(state, Quad(0), h).failed() &&
              stepper.observe(state, h, h, to.q.data(), to.v.data());
    return to;
  };
  const Point base{q0, v0};
  const int moved_count = std::min(n, most_moved);
  // Moves: a sphere along tangent direction e (position or velocity), staying on T(S²)ⁿ.
  const auto moved = [&](int move, const Quad& by) {
    const int i = moved_count == 1 ? 0 : move / 4 * (n - 1) / (moved_count - 1);
    const V3 q = vec_at(base.q.data(), i);
    const V3 first = normalised(cross(q, abs(q[0]) < Quad(0.6) ? V3{{1, 0, 0}} : V3{{0, 1, 0}}));
    const V3 e = move % 2 == 0 ? first : cross(q, first);
    Point to = base;
    if (move % 4 < 2) {
      const V3 turned = normalised(q + by * e);
      put(to.q.data(), i, turned);
      put(to.v.data(), i, tangent_part(turned, vec_at(base.v.data(), i)));
    } else {
      put(to.v.data(), i, vec_at(base.v.data(), i) + by * e);
    }
    return to;
  };
  const Quad d = 1e-10;
  const auto difference = [&](const Point& a, const Point& b) {
    std::vector<Quad> column;
    const std::vector<Quad> mu_a = momentum(a);
    const std::vector<Quad> mu_b = momentum(b);
    for (std::size_t c = 0; c < a.q.size(); ++c) column.push_back((a.q[c] - b.q[c]) / (2 * d));
    for (std::size_t c = 0; c < mu_a.size(); ++c) column.push_back((mu_a[c] - mu_b[c]) / (2 * d));
    return column;
  };
  std::vector<std::vector<Quad>> before;
  std::vector<std::vector<Quad>> after;
  for (int move = 0; move < 4 * moved_count; ++move) {
    const Point up = moved(move, d);
    const Point down = moved(move, -d);
    before.push_back(difference(up, down));
    after.push_back(difference(image(up), image(down)));
    if (!defined) return std::nullopt;
  }
  const auto form = [&](const std::vector<Quad>& a, const std::vector<Quad>& b) {
    Quad sum = 0;
    for (int c = 0; c < N; ++c) {
      const auto x = static_cast<std::size_t>(c);
      const auto y = static_cast<std::size_t>(N + c);
      sum += a[x] * b[y] - a[y] * b[x];
    }
    return sum;
  };
  Quad largest = 0;
  Quad scale = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Quad expected = form(before[i], before[j]);
      scale = max(scale, abs(expected));
      largest = max(largest, abs(form(after[i], after[j]) - expected));
    }
  return static_cast<double>(largest / scale);
}

}  // namespace hamel
