// SPDX-License-Identifier: BSD-3-Clause
// What belongs to constraints: one-forms that vanish on the frame, and reaction forces.
#include "frame_algebra.hpp"
#include "hamel/core/error.hpp"
#include "hamel/models/frame_equations.hpp"

namespace hamel {

namespace {

/// φ^a of the frame with its complement, a > m.
std::vector<Expressions> dual_forms(FrameModel model) {
  complete_frame(model);
  const std::size_t N = model.q.size();
  const std::vector<Expressions> rows = all_rows(model);
  if (rows.size() != N)
    throw InputError(
        "the constraints could not be solved from the frame alone; give the "
        "remaining fields as `complement`");
  std::vector<Expressions> columns;  // of ψ⁻¹
  for (std::size_t b = 0; b < N; ++b) {
    Expressions unit(N);
    unit[b] = 1.0;
    columns.push_back(in_span(rows, unit));
  }
  std::vector<Expressions> forms;
  for (std::size_t a = model.frame.size(); a < N; ++a) {
    Expressions form(N);
    for (std::size_t b = 0; b < N; ++b) form[b] = columns[b][a];
    forms.push_back(std::move(form));
  }
  return forms;
}

}  // namespace

std::vector<Expressions> annihilating_forms(const FrameModel& model) {
  const std::size_t N = model.q.size();
  const std::size_t m = model.frame.size();
  std::vector<Expressions> forms;
  if (m == N) return forms;
  if (m + 1 == N && N <= most_for_cofactors) return {cofactor_form(model.frame, N)};
  std::vector<Expressions> reduced = model.frame;
  std::vector<std::size_t> pivots;
  for (std::size_t i = 0; i < m; ++i) {
    std::size_t column = N;
    for (std::size_t b = 0; b < N && column == N; ++b)
      if (reduced[i][b].is_fixed() && reduced[i][b].nominal() != Quad(0)) column = b;
    if (column == N) return dual_forms(model);
    const Expression pivot = reduced[i][column];
    for (auto& entry : reduced[i]) entry = entry / pivot;
    for (std::size_t k = 0; k < m; ++k) {
      if (k == i || reduced[k][column].is_constant(0)) continue;
      const Expression factor = reduced[k][column];
      for (std::size_t b = 0; b < N; ++b) reduced[k][b] -= factor * reduced[i][b];
    }
    pivots.push_back(column);
  }
  for (std::size_t b = 0; b < N; ++b) {
    bool pivot = false;
    for (const std::size_t c : pivots) pivot = pivot || c == b;
    if (pivot) continue;
    Expressions form(N);
    form[b] = 1.0;
    for (std::size_t i = 0; i < m; ++i) form[pivots[i]] = -reduced[i][b];
    forms.push_back(std::move(form));
  }
  return forms;
}

ReactionEquations reaction_equations(const FrameModel& model, const FrameEquations& e) {
  const std::size_t N = model.q.size();
  const std::size_t m = model.frame.size();
  const auto xi = model.admissible();
  const Expression L = coordinate_lagrangian(model);
  const Expressions L_v = gradient(L, model.v);
  const auto in_frame = [&](std::span<const Expression> f) {
    return substituted(f, model.v, e.velocity);
  };
  ReactionEquations r;
  r.M = jacobian(e.momentum, xi);
  const Expressions transport = directional(e.momentum, model.q, e.velocity);
  const Expressions momentum_t = derivative(e.momentum, model.t);
  r.g.resize(m);
  for (std::size_t j = 0; j < m; ++j)
    r.g[j] = e.rate[j] + e.force[j] - transport[j] - momentum_t[j];
  r.B.resize(N * m);
  for (std::size_t j = 0; j < m; ++j) {
    const Expressions column = in_frame(directional(L_v, model.v, model.frame[j]));
    for (std::size_t b = 0; b < N; ++b) r.B[b * m + j] = column[b];
  }
  const Expressions turning = directional(e.velocity, model.q, e.velocity);  // (Dψ·v)ξ
  const Expressions first = in_frame(directional(L_v, model.v, turning));
  const Expressions second = in_frame(directional(L_v, model.q, model.v));
  const Expressions third = in_frame(derivative(L_v, model.t));
  const Expressions L_q = in_frame(gradient(L, model.q));
  const Expressions f = model.forced() ? in_frame(model.force) : Expressions(N);
  r.c.resize(N);
  for (std::size_t b = 0; b < N; ++b) r.c[b] = first[b] + second[b] + third[b] - L_q[b] - f[b];
  for (Expressions* list : {&r.M, &r.g, &r.B, &r.c}) *list = model.closed(*list, e.velocity);
  return r;
}

}  // namespace hamel
