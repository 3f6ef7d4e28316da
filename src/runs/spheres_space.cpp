// SPDX-License-Identifier: BSD-3-Clause

#include "spheres_space.hpp"

#include <cmath>
#include <random>

#include "hamel/geometry/rotation.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/kernels/chain/chain_links.hpp"
#include "hamel/runs/problem.hpp"
#include "hamel/solve/singular_values.hpp"

namespace hamel {

namespace {

std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

Vec<Quad, 3> row(const Mat<Quad, 2, 3>& m, int i) { return {{m(i, 0), m(i, 1), m(i, 2)}}; }

}  // namespace

std::shared_ptr<ReducedSpace> Problem::reduced_space() const {
  return std::make_shared<SpheresSpace>(phase_space().spheres);
}

void SpheresSpace::base_at(const State& z) {
  State base = z;
  tangents_.clear();
  for (int i = 0; i < n_; ++i) {
    const V q = normalised(vec_at(z.data(), i));
    tangents_.push_back(tangent_basis(q, V{{1, 0, 0}}));
    put(base.data(), i, q);
    put(base.data(), n_ + i, tangent_part(q, vec_at(z.data(), n_ + i)));
  }
  set_base(std::move(base));
}

// c: two numbers for each q_i, then two for each ω_i.
ReducedSpace::State SpheresSpace::at(const State& c) const {
  State z = base();
  for (int i = 0; i < n_; ++i) {
    const V e1 = row(tangents_[at_index(i)], 0);
    const V e2 = row(tangents_[at_index(i)], 1);
    const auto combined = [&](int first) {
      return c[at_index(first + 2 * i)] * e1 + c[at_index(first + 2 * i + 1)] * e2;
    };
    const V q = normalised(vec_at(base().data(), i) + combined(0));
    put(z.data(), i, q);
    put(z.data(), n_ + i, tangent_part(q, vec_at(base().data(), n_ + i) + combined(2 * n_)));
  }
  return z;
}

ReducedSpace::State SpheresSpace::coordinates(const State& z) const {
  State c(at_index(dimension()));
  for (int i = 0; i < 2 * n_; ++i) {
    const V by = vec_at(z.data(), i) - vec_at(base().data(), i);
    for (int k = 0; k < 2; ++k)
      c[at_index(2 * i + k)] = dot(by, row(tangents_[at_index(i % n_)], k));
  }
  return c;
}

std::vector<ReducedSpace::Component> SpheresSpace::components() const {
  std::vector<Component> list;
  for (const char* vector : {"q", "omega"})
    for (int i = 0; i < n_; ++i)
      for (const char* axis : {"x", "y", "z"})
        list.push_back({vector + std::to_string(i + 1) + axis, list.size()});
  return list;
}

ReducedSpace::State SpheresSpace::rotated(const State& z, const V& by) const {
  // As a Cayley map, which has no small denominators.
  const Quad angle = norm(by);
  const V a = (angle > Quad(0) ? tan(angle / 2) / angle : Quad(0.5)) * by;
  State to = z;
  for (int i = 0; i < 2 * n_; ++i) {
    const V x = vec_at(z.data(), i);
    put(to.data(), i, x + cayley_increment(a, x));
  }
  return to;
}

ReducedSpace::State SpheresSpace::turned(const State& z, const State& angles) const {
  V by{};
  for (std::size_t a = 0; a < axes().size(); ++a)
    by = by + angles[a] * V{{axes()[a][0], axes()[a][1], axes()[a][2]}};
  return rotated(z, by);
}

ReducedSpace::State SpheresSpace::generator(int a) const {
  const V axis = vec_at(axes()[at_index(a)].data(), 0);
  State moved = base();
  for (int i = 0; i < 2 * n_; ++i) {
    const V x = vec_at(base().data(), i);
    put(moved.data(), i, x + cross(axis, x));
  }
  return coordinates(moved);
}

ReducedSpace::State SpheresSpace::commutator(StepMap<Quad>& map, const State& z,
                                             const V& axis) const {
  const Quad d = 1e-10;
  State up(z.size());
  State down(z.size());
  if (!map(rotated(z, d * axis), up) || !map(rotated(z, -d * axis), down)) return {};
  up = rotated(up, -d * axis);
  down = rotated(down, d * axis);
  for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * d);
  return up;
}

void SpheresSpace::find_axes(StepMap<Quad>& map, const State& z) {
  std::minstd_rand random(11);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  State rows;
  Quad moved = 0;
  set_axes({});
  base_at(z);
  constexpr int samples = 2;
  for (int sample = 0; sample < samples; ++sample) {
    State c(at_index(dimension()));
    for (Quad& x : c) x = uniform(random);
    const State general = at(c);
    State to(z.size());
    if (!map(general, to)) return;
    for (std::size_t i = 0; i < z.size(); ++i) moved = max(moved, abs(to[i] - general[i]));
    State columns[3];
    for (int a = 0; a < 3; ++a) {
      V axis{};
      axis[a] = 1;
      columns[a] = commutator(map, general, axis);
      if (columns[a].empty()) return;
    }
    for (std::size_t i = 0; i < z.size(); ++i)
      for (const State& column : columns) rows.push_back(column[i]);
  }
  // Differences are good to 1e-20; a broken symmetry shows in the size of the motion itself.
  const auto found = singular_values(rows, static_cast<int>(rows.size()) / 3, 3);
  std::vector<std::vector<Quad>> axes;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(found.s[a] <= Quad(1e-12) * moved)) continue;
    std::vector<Quad> axis = found.v[a];
    std::size_t largest = 0;
    for (std::size_t c = 1; c < 3; ++c)
      if (abs(axis[c]) > abs(axis[largest])) largest = c;
    const Quad sign = axis[largest] < 0 ? -1 : 1;
    for (Quad& x : axis) x = abs(x) < Quad(1e-15) ? Quad(0) : sign * x;
    axes.push_back(axis);
  }
  set_axes(std::move(axes));
}

Quad SpheresSpace::symmetry_defect(StepMap<Quad>& map) const {
  Quad largest = 0;
  for (const auto& axis : axes()) {
    const State by = commutator(map, base(), vec_at(axis.data(), 0));
    if (by.empty()) return NAN;
    for (const Quad& x : by) largest = max(largest, abs(x));
  }
  return largest;
}

}  // namespace hamel
