// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/frame_equations.hpp"

#include <array>

#include "frame_algebra.hpp"
#include "hamel/core/error.hpp"

namespace hamel {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Lower Cholesky factor of a symmetric positive definite matrix, row by row.
std::vector<Expressions> cholesky(const std::vector<Expressions>& a) {
  const std::size_t n = a.size();
  std::vector<Expressions> c(n, Expressions(n));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      Expression sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= c[i][k] * c[j][k];
      c[i][j] = i == j ? sqrt(sum) : sum / c[j][j];
    }
  }
  return c;
}

/// C⁻¹ of a lower triangular C.
std::vector<Expressions> lower_inverse(const std::vector<Expressions>& c) {
  const std::size_t n = c.size();
  std::vector<Expressions> inverse(n, Expressions(n));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      Expression sum = i == j ? 1.0 : 0.0;
      for (std::size_t k = j; k < i; ++k) sum -= c[i][k] * inverse[k][j];
      inverse[i][j] = sum / c[i][i];
    }
  }
  return inverse;
}

/// ξ^{m+1} … ξ^n := 0.
Expressions restricted(const FrameModel& model, std::span<const Expression> f) {
  const auto extra = std::span(model.xi).subspan(model.frame.size());
  return substituted(f, extra, Expressions(extra.size()));
}

Expressions bracket_of(const FrameModel& model, const Expressions& a, const Expressions& b) {
  const Expressions ab = directional(b, model.q, a);  // a·∂b
  const Expressions ba = directional(a, model.q, b);
  Expressions result(ab.size());
  for (std::size_t r = 0; r < ab.size(); ++r) result[r] = ab[r] - ba[r];  // [MATH 1.1]
  return result;
}

}  // namespace

FrameEquations frame_equations(const FrameModel& model) {
  const std::size_t m = model.frame.size();
  const std::size_t N = model.q.size();
  const auto xi = model.admissible();
  FrameEquations e;
  e.velocity = combination(xi, model.frame, N);  // [MATH 1.1]
  e.momentum.resize(m);
  e.rate.resize(m);
  e.force.resize(m);
  if (model.quasi) {
    const Expressions mu_all = restricted(model, gradient(model.lagrangian, model.xi));
    const Expression l = restricted(model, std::span(&model.lagrangian, 1)).front();
    const Expressions l_q = gradient(l, model.q);
    const Expressions c = structure_functions(model);
    const std::size_t n = model.xi.size();
    for (std::size_t j = 0; j < m; ++j) {
      e.momentum[j] = mu_all[j];
      e.rate[j] = dot(l_q, model.frame[j]);  // [MATH 1.2]
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t a = 0; a < n; ++a)
          e.rate[j] += c[(i * n + j) * n + a] * xi[i] * mu_all[a];  // [MATH 1.2] [MATH 1.4]
    }
    e.energy = dot(e.momentum, xi) - l;
  } else {
    const auto in_frame = [&](std::span<const Expression> f) {
      return substituted(f, model.v, e.velocity);
    };
    const Expressions L_q = in_frame(gradient(model.lagrangian, model.q));
    const Expressions L_v = in_frame(gradient(model.lagrangian, model.v));
    const Expression L = in_frame(std::span(&model.lagrangian, 1)).front();
    for (std::size_t j = 0; j < m; ++j) {
      const Expressions Du_v = directional(model.frame[j], model.q, e.velocity);
      e.momentum[j] = dot(L_v, model.frame[j]);
      e.rate[j] = dot(L_q, model.frame[j]) + dot(L_v, Du_v);  // [MATH 1.3]
    }
    e.energy = dot(L_v, e.velocity) - L;
  }
  if (model.forced()) {
    const Expressions f = substituted(model.force, model.v, e.velocity);
    for (std::size_t j = 0; j < m; ++j) e.force[j] = dot(f, model.frame[j]);
    e.power = dot(f, e.velocity);  // [MATH 11.1]
  }
  if (model.inputs.empty()) return e;
  for (Expressions* list : {&e.momentum, &e.rate, &e.force})
    *list = model.closed(*list, e.velocity);
  const Expressions scalars = model.closed(std::array{e.power, e.energy}, e.velocity);
  e.power = scalars[0];
  e.energy = scalars[1];
  return e;
}

Expressions watched_quantities(const FrameModel& model, const FrameEquations& equations) {
  Expressions from = model.v;
  from.insert(from.end(), model.p.begin(), model.p.end());
  Expressions to = equations.velocity;
  to.insert(to.end(), equations.momentum.begin(), equations.momentum.end());
  Expressions all = {equations.energy};
  for (const auto& invariant : model.invariants) all.push_back(invariant.value);
  return restricted(model, substituted(model.closed(all, model.v), from, to));
}

Expression potential_energy(const FrameModel& model) {
  const auto& velocities = model.quasi ? model.xi : model.v;
  return -substituted(model.lagrangian, velocities, Expressions(velocities.size()));
}

Expression coordinate_lagrangian(const FrameModel& model) {
  if (!model.quasi) return model.lagrangian;
  if (model.in_velocities) return *model.in_velocities;
  const std::vector<Expressions> rows = all_rows(model);
  if (rows.size() != model.q.size() || model.xi.size() != rows.size() || model.redundant)
    throw InputError(
        "the Lagrangian is given in quasi-velocities that are not functions of the velocities: "
        "as many independent fields as coordinates are needed, or `lagrangian` in the velocities");
  return substituted(model.lagrangian, model.xi, in_span(rows, model.v));
}

Expressions bracket(const FrameModel& model, int i, int j) {
  const std::vector<Expressions> rows = all_rows(model);
  return bracket_of(model, rows[at(i)], rows[at(j)]);
}

Expressions structure_functions(const FrameModel& model) {
  const std::size_t n = model.xi.size();
  Expressions c(n * n * n);
  if (model.brackets_given) {
    for (const auto& [i, j, k, value] : model.brackets) {
      c[(at(i) * n + at(j)) * n + at(k)] += value;
      c[(at(j) * n + at(i)) * n + at(k)] -= value;
    }
    return c;
  }
  const std::vector<Expressions> rows = all_rows(model);
  if (rows.size() < n)
    throw InputError("brackets are needed: the Lagrangian has " + std::to_string(n) +
                     " quasi-velocities, but only " + std::to_string(rows.size()) +
                     " fields are given; give `brackets`, or the other fields as `complement`");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Expressions w = bracket_of(model, rows[i], rows[j]);
      const Expressions x = in_span(rows, w);  // [MATH 1.1]
      for (std::size_t k = 0; k < n; ++k) {
        c[(i * n + j) * n + k] = x[k];
        c[(j * n + i) * n + k] = -x[k];
      }
    }
  }
  return c;
}

KineticFrame kinetic_frame(const FrameModel& model) {
  const std::size_t m = model.frame.size();
  const FrameEquations e = frame_equations(model);
  const auto xi = model.admissible();
  const Expressions M = jacobian(e.momentum, xi);
  for (const auto& entry : M)
    if (depends_on(entry, model.xi) || depends_on(entry, {&model.t, 1}))
      throw InputError(
          "the kinetic frame needs a kinetic energy that is quadratic in the velocity and free of "
          "t");
  std::vector<Expressions> mass(m, Expressions(m));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) mass[i][j] = M[i * m + j];
  const std::vector<Expressions> C = cholesky(mass);  // [MATH 2.5]
  const std::vector<Expressions> A = lower_inverse(C);

  KineticFrame kinetic{model, Expressions(m), Expressions(m)};
  FrameModel& to = kinetic.model;
  for (std::size_t i = 0; i < m; ++i) {
    to.frame[i] = combination(A[i], model.frame, model.q.size());  // u'_i = (C⁻¹)_ij u_j
    for (std::size_t j = 0; j < m; ++j) {
      kinetic.to[i] += C[j][i] * xi[j];
      kinetic.from[i] += A[j][i] * xi[j];
    }
  }
  if (!model.quasi) return kinetic;

  // l'(q, ξ') and c' of the new frame: [u'_i, u'_j] = X_ij^l u_l, u_l = C_lb u'_b for l ≤ m.
  const std::size_t n = model.xi.size();
  to.lagrangian = substituted(model.lagrangian, xi, kinetic.from);
  const Expressions c = structure_functions(model);
  to.brackets.clear();
  to.brackets_given = true;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Expressions X(n);
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l)
          for (std::size_t a = 0; a < n; ++a) X[a] += A[i][k] * A[j][l] * c[(k * n + l) * n + a];
      const Expressions along_i = directional(A[j], model.q, to.frame[i]);
      const Expressions along_j = directional(A[i], model.q, to.frame[j]);
      for (std::size_t l = 0; l < m; ++l) X[l] += along_i[l] - along_j[l];
      for (std::size_t b = 0; b < n; ++b) {
        Expression value = b < m ? Expression() : X[b];
        if (b < m)
          for (std::size_t l = 0; l < m; ++l) value += X[l] * C[l][b];
        to.brackets.push_back(
            {static_cast<int>(i), static_cast<int>(j), static_cast<int>(b), value});
      }
    }
  }
  return kinetic;
}

Expressions implicit_hamel_residual(const FrameModel& model, const Expressions& xi,
                                    const Expressions& eta, const Expressions& mu,
                                    const Expressions& mu_dot) {
  const std::size_t n = model.q.size();
  const std::vector<Expressions> rows = all_rows(model);
  if (rows.size() != n || model.redundant)
    throw InputError("the implicit Hamel equations need as many fields as coordinates");
  const Expressions velocity = combination(xi, rows, n);
  Expressions p(n);  // p_b = μ_a φ^a_b
  for (std::size_t b = 0; b < n; ++b) {
    Expressions unit(n);
    unit[b] = 1.0;
    p[b] = dot(in_span(rows, unit), mu);
  }
  Expression l = model.quasi ? substituted(model.lagrangian, model.xi, eta)
                             : substituted(model.lagrangian, model.v, combination(eta, rows, n));
  const Expressions l_q = gradient(l, model.q);
  const Expressions p_along = directional(p, model.q, velocity);  // ∂_rφ^a_b ψ_i^r ξ^i μ_a
  const Expressions shown = combination(eta, rows, n);
  Expressions residual(n);
  for (std::size_t j = 0; j < n; ++j) {
    const Expressions frame_along = directional(shown, model.q, rows[j]);  // ψ_j^r ∂_rψ_i^b η^i
    residual[j] =
        dot(l_q, rows[j]) - mu_dot[j] - dot(p_along, rows[j]) - dot(frame_along, p);  // [MATH 1.5]
  }
  return residual;
}

FrameEquations implicit_hamel_equations(const FrameModel& model) {
  FrameEquations e = frame_equations(model);
  // μ is a variable while q varies; it becomes μ(q, ξ) afterwards.
  const Expressions rate =
      implicit_hamel_residual(model, model.xi, model.xi, model.p, Expressions(model.p.size()));
  e.rate = model.closed(substituted(rate, model.p, e.momentum), e.velocity);  // [MATH 1.5]
  return e;
}

}  // namespace hamel
