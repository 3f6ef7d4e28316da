// SPDX-License-Identifier: BSD-3-Clause

#include "frame_space.hpp"

#include <algorithm>
#include <cmath>

#include "frame_shape.hpp"
#include "hamel/runs/problem.hpp"
#include "hamel/solve/singular_values.hpp"

namespace hamel {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Vectors that count in a span: shorter ones come from differences of equal numbers.
constexpr double rank_part = 1e-12;

Quad dot(const std::vector<Quad>& a, const std::vector<Quad>& b) {
  Quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

FrameSpace::FrameSpace(const FrameModel& model, const std::vector<double>& q,
                       const std::vector<double>& xi)
    : names_(model.coordinates),
      N_(model.coordinates_count()),
      m_(model.fields()),
      shortest_(model.shortest) {
  const FrameShape found = frame_shape(model, q, xi);
  for (int b = 0; b < N_; ++b) (found.in_shape[index(b)] ? shape_ : cyclic_).push_back(b);
  field_count_ = static_cast<int>(found.fields.size());
  Expressions all;
  for (const auto& field : found.fields) all.insert(all.end(), field.begin(), field.end());
  fields_ = Evaluator<Quad>(Program(model.q, all));
}

FrameSpace::Vectors FrameSpace::fields_at(const Quad* q) const {
  State all(index(field_count_ * N_));
  fields_(q, all.data());
  Vectors rows;
  for (int k = 0; k < field_count_; ++k)
    rows.emplace_back(all.begin() + k * N_, all.begin() + (k + 1) * N_);
  return rows;
}

void FrameSpace::base_at(const State& z) {
  set_base(z);
  const Vectors fields = fields_at(z.data());
  // Xᵀ: its left vectors span the leaf's tangent, its right ones say by which fields.
  State columns;
  for (int b = 0; b < N_; ++b)
    for (const State& field : fields) columns.push_back(field[index(b)]);
  const auto leaf = singular_values(columns, N_, field_count_);
  const int rank = leaf.rank(rank_part);
  free_ = rank == N_;
  shape_basis_.clear();
  shape_weights_.clear();
  cyclic_weights_.clear();
  const std::size_t r = shape_.size();
  if (free_) {
    for (std::size_t i = 0; i < r; ++i) shape_basis_.emplace_back(r)[i] = 1;
  } else if (rank > 0) {
    State of_shape;  // the tangent, seen in r
    for (const int b : shape_)
      for (int j = 0; j < rank; ++j) of_shape.push_back(leaf.u[index(j)][index(b)]);
    const auto seen = singular_values(of_shape, static_cast<int>(r), rank);
    for (std::size_t j = 0; j < index(rank); ++j) {
      const bool moves = r > 0 && seen.s[j] > Quad(rank_part);
      State weights(index(field_count_));
      for (std::size_t k = 0; k < index(rank); ++k)
        for (std::size_t f = 0; f < weights.size(); ++f)
          weights[f] += leaf.v[k][f] / leaf.s[k] * seen.v[j][k] / (moves ? seen.s[j] : Quad(1));
      (moves ? shape_weights_ : cyclic_weights_).push_back(std::move(weights));
      if (moves) shape_basis_.push_back(seen.u[j]);
    }
  }
  xi_basis_.clear();
  if (shortest_) {
    State rows;
    for (int i = 0; i < m_; ++i)
      rows.insert(rows.end(), fields[index(i)].begin(), fields[index(i)].end());
    const auto admissible = singular_values(rows, m_, N_);
    for (int j = 0; j < admissible.rank(rank_part); ++j)
      xi_basis_.push_back(admissible.u[index(j)]);
  } else {
    for (int i = 0; i < m_; ++i) xi_basis_.emplace_back(index(m_))[index(i)] = 1;
  }
}

// The implicit midpoint rule: quadratic invariants of the fields, which rotations and unit vectors
// have, stay exact.
void FrameSpace::flow(State& q, const State& weights) const {
  Quad size = 0;
  for (const Quad& w : weights) size = max(size, abs(w));
  if (size == Quad(0)) return;
  const int parts = size > Quad(1e-3) ? 1 + static_cast<int>(8 * min(size, Quad(16))) : 1;
  for (int part = 0; part < parts; ++part) {
    State by(q.size());
    Quad last = HUGE_VAL;
    for (int sweep = 0; sweep < 200; ++sweep) {
      State middle = q;
      for (std::size_t b = 0; b < q.size(); ++b) middle[b] += by[b] / 2;
      const Vectors fields = fields_at(middle.data());
      Quad change = 0;
      for (std::size_t b = 0; b < q.size(); ++b) {
        Quad sum = 0;
        for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * fields[k][b];
        sum /= parts;
        change = max(change, abs(sum - by[b]));
        by[b] = sum;
      }
      if (change == Quad(0) || !(change < last)) break;  // stagnation at round-off
      last = change;
    }
    for (std::size_t b = 0; b < q.size(); ++b) q[b] += by[b];
  }
}

void FrameSpace::make_shortest(State& z) const {
  State rows;
  for (const State& field : fields_at(z.data())) {
    if (rows.size() == index(m_ * N_)) break;
    rows.insert(rows.end(), field.begin(), field.end());
  }
  const auto admissible = singular_values(rows, m_, N_);
  const State xi(z.begin() + N_, z.end());
  std::fill(z.begin() + N_, z.end(), Quad(0));
  for (int j = 0; j < admissible.rank(rank_part); ++j) {
    const State& u = admissible.u[index(j)];
    const Quad along = dot(u, xi);
    for (std::size_t i = 0; i < u.size(); ++i) z[index(N_) + i] += along * u[i];
  }
}

ReducedSpace::State FrameSpace::at(const State& c) const {
  State z = base();
  const std::size_t k = shape_basis_.size();
  if (free_) {
    for (std::size_t i = 0; i < k; ++i) z[index(shape_[i])] += c[i];
  } else {
    State weights(index(field_count_));
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t f = 0; f < weights.size(); ++f) weights[f] += c[j] * shape_weights_[j][f];
    State q(z.begin(), z.begin() + N_);
    flow(q, weights);
    std::ranges::copy(q, z.begin());
  }
  for (std::size_t j = 0; j < xi_basis_.size(); ++j)
    for (std::size_t i = 0; i < index(m_); ++i) z[index(N_) + i] += c[k + j] * xi_basis_[j][i];
  if (shortest_) make_shortest(z);
  return z;
}

ReducedSpace::State FrameSpace::coordinates(const State& z) const {
  State by_r;
  for (const int b : shape_) by_r.push_back(z[index(b)] - base()[index(b)]);
  State by_xi;
  for (std::size_t i = index(N_); i < z.size(); ++i) by_xi.push_back(z[i] - base()[i]);
  State c;
  for (const State& e : shape_basis_) c.push_back(dot(e, by_r));
  for (const State& e : xi_basis_) c.push_back(dot(e, by_xi));
  return c;
}

std::vector<ReducedSpace::Component> FrameSpace::components() const {
  std::vector<Component> list;
  for (const int b : shape_) list.push_back({names_[index(b)], index(b)});
  for (int i = 0; i < m_; ++i) list.push_back({"xi" + std::to_string(i + 1), index(N_ + i)});
  return list;
}

std::vector<std::string> FrameSpace::cyclic() const {
  std::vector<std::string> list;
  for (const int b : cyclic_) list.push_back(names_[index(b)]);
  return list;
}

Quad FrameSpace::symmetry_defect(StepMap<Quad>& map) const {
  const Quad d = 1e-10;
  const auto displaced = [&](std::size_t direction, const Quad& by) {
    State z = base();
    if (free_) {
      z[index(cyclic_[direction])] += by;
      return z;
    }
    State weights = cyclic_weights_[direction];
    for (Quad& w : weights) w *= by;
    State q(z.begin(), z.begin() + N_);
    flow(q, weights);
    std::ranges::copy(q, z.begin());
    if (shortest_) make_shortest(z);
    return z;
  };
  Quad largest = 0;
  State up(base().size());
  State down(base().size());
  for (std::size_t k = 0; k < (free_ ? cyclic_.size() : cyclic_weights_.size()); ++k) {
    if (!map(displaced(k, d), up) || !map(displaced(k, -d), down)) return NAN;
    const State a = coordinates(up);
    const State b = coordinates(down);
    for (std::size_t i = 0; i < a.size(); ++i) largest = max(largest, abs(a[i] - b[i]) / (2 * d));
  }
  return largest;
}

}  // namespace hamel
