// SPDX-License-Identifier: BSD-3-Clause
// Gauss collocation of a chain with the stages as lanes, in its links or in (q, π): see
// gauss_lanes.hpp. O(n).                                                                 [MATH 7.6]
//
// In the links (d, u), L the increments, M L = Σ_j μ_ij L_j:
//   U = u + M L_u,  L_d = h b U,  D = d + M L_d,  L_u' = h b u̇(D, U),
//   u̇ = T(λ)D − g e3 δ_i1 with λ from D·u̇ + |U|² = 0, a scalar tridiagonal system; while it
//   iterates, D = d + (M hb) u + M₂ L_u, M₂ = M diag(hb) M, so that neither waits for the other.
//   The new positions are used at once (Gauss–Seidel): ten links take 6.2 iterations instead of
//   9.9.
// In (q, π), where the lengths are exact at any step:
//   Q = q + M L_q,  Π = π + M L_π,  L' = h b (q̇, π̇)(Q, Π), the field of
//   chain_momentum_field.hpp; positions and momenta change at a time.
//
// Where the time goes: 48 products with sums for each link and iteration, with the matrices in
// registers (AVX-512), some 30 other operations, in (q, π) 90, one division that the next link
// waits for.
#pragma once

#include "hamel/kernels/lanes/gauss_lanes.hpp"

namespace hamel::lanes {

#define HAMEL_INLINE __attribute__((always_inline)) inline

/// The increments of a chain.
template <int W>
HAMEL_INLINE hamel_lanes::GaussOutcome links_iteration(const hamel_lanes::GaussTask& task,
                                                       const Matrix<W>& M, const Matrix<W>& M2,
                                                       double* const Lu) {
  const int n = task.links;
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  const Lanes<W> mu_hb = Lanes<W>::load(task.tables->mu_hb);
  const double* const d = task.z;
  const double* const u = task.z + 3 * n;
  double* const D = Lu + std::ptrdiff_t{3} * n * W;      // 3n
  double* const upper = D + std::ptrdiff_t{3} * n * W;   // n: −w of the elimination
  double* const lambda = upper + std::ptrdiff_t{n} * W;  // n
  const auto link = [](double* list, int i) { return list + std::ptrdiff_t{3} * i * W; };

  // D_i; returns |U_i|².
  const auto place = [&](int i, Vec<Lanes<W>, 3>& Di) __attribute__((always_inline)) {
    Vec<Lanes<W>, 3> U;
    for (int c = 0; c < 3; ++c) {
      const Lanes<W> speed(u[3 * i + c]);
      const double* const L = link(Lu, i) + c * W;
      Di[c] = M2.times(L, mu_hb * speed + d[3 * i + c]);
      U[c] = M.times(L, speed);
      Di[c].store(link(D, i) + c * W);
    }
    return square(U);
  };
  const auto at = [&](int i) {
    const double* const from = link(D, i);
    return Vec<Lanes<W>, 3>{
        {Lanes<W>::load(from), Lanes<W>::load(from + W), Lanes<W>::load(from + 2 * W)}};
  };

  hamel_lanes::GaussOutcome outcome;
  GaussStopping<double> stopping(task.tolerance, largest_size(u, 3 * n, 1.0), false);
  while (outcome.iterations < task.max_iterations) {
    Vec<Lanes<W>, 3> here;
    Lanes<W> right = -place(0, here);
    right += task.field * here[2];
    Lanes<W> w(0.0);  // −w_{i−1}
    Lanes<W> r(0.0);
    Lanes<W> lower(0.0);
    double k_before = 0.0;
    // Row i of the matrix of λ, eliminated as soon as it is there.
    const auto eliminate = [&](int i, double k, const Lanes<W>& above)
        __attribute__((always_inline)) {
      const Lanes<W> size = (k + k_before) * square(here);
      const Lanes<W> inverse = 1.0 / (size - lower * w);  // of −pivot
      r = (lower * r - right) * inverse;
      w = above * inverse;
      w.store(upper + i * W);
      r.store(lambda + i * W);
    };
    for (int i = 0; i + 1 < n; ++i) {
      const double k = task.k[i];
      Vec<Lanes<W>, 3> next;
      const Lanes<W> next_right = -place(i + 1, next);
      const Lanes<W> above = k * (here[0] * next[0] + (here[1] * next[1] + here[2] * next[2]));
      eliminate(i, k, above);
      lower = above;
      right = next_right;
      here = next;
      k_before = k;
    }
    eliminate(n - 1, task.k[n - 1], Lanes<W>(0.0));
    // λ backwards, and u̇_i = k_i(λ_{i+1}D_{i+1} − λ_iD_i) − k_{i−1}(λ_iD_i − λ_{i−1}D_{i−1}).
    Lanes<W> change(0.0);
    const auto renew = [&](int i, const Vec<Lanes<W>, 3>& rate) __attribute__((always_inline)) {
      for (int c = 0; c < 3; ++c) {
        double* const L = link(Lu, i) + c * W;
        const Lanes<W> next = hb * rate[c];
        change = larger(change, next - Lanes<W>::load(L));
        next.store(L);
      }
    };
    Lanes<W> l = r;
    Vec<Lanes<W>, 3> own = l * here;
    Vec<Lanes<W>, 3> after = Lanes<W>(-task.k[n - 1]) * own;
    for (int i = n - 1; i > 0; --i) {
      l = Lanes<W>::load(upper + (i - 1) * W) * l + Lanes<W>::load(lambda + (i - 1) * W);
      const Vec<Lanes<W>, 3> own_before = l * at(i - 1);
      const Vec<Lanes<W>, 3> before = Lanes<W>(task.k[i - 1]) * (own - own_before);
      renew(i, after - before);
      after = before;
      own = own_before;
    }
    after[2] = after[2] - task.field;
    renew(0, after);
    if (ends(stopping, change.largest(), outcome)) break;
  }
  return outcome;
}

template <int W>
hamel_lanes::GaussOutcome chain_gauss(const hamel_lanes::GaussTask& task) noexcept {
  const int n3 = 3 * task.links;
  const Matrix<W> M(task.tables->mu);
  const Matrix<W> M2(task.tables->mu2);
  double* const Lu = task.work;
  for (int c = 0; c < n3; ++c) guess<W>(task, task.L + c * W).store(Lu + c * W);
  hamel_lanes::GaussOutcome outcome = links_iteration(task, M, M2, Lu);
  if (!outcome.converged) return outcome;
  // ḋ = u holds to the last bit of the stages.
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  for (int c = 0; c < n3; ++c) {
    const Lanes<W> Ld = hb * M.times(Lu + c * W, Lanes<W>(task.z[n3 + c]));
    task.dz[c] = Ld.sum();
    outcome.converged &= finish(Lanes<W>::load(Lu + c * W), task.L + c * W, task.dz[n3 + c]);
  }
  return outcome;
}

/// In (q, π).
template <int W>
hamel_lanes::GaussOutcome chain_momentum_gauss(const hamel_lanes::GaussTask& task) noexcept {
  using Triple = Vec<Lanes<W>, 3>;
  const int n = task.links;
  const int n3 = 3 * n;
  const Matrix<W> M(task.tables->mu);
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  const double* const q = task.z;
  const double* const pi = task.z + n3;
  double* const Lq = task.work;                         // 3n
  double* const Lp = Lq + std::ptrdiff_t{n3} * W;       // 3n
  double* const Q = Lp + std::ptrdiff_t{n3} * W;        // 3n
  double* const P = Q + std::ptrdiff_t{n3} * W;         // 3n: Π
  double* const v = P + std::ptrdiff_t{n3} * W;         // 3n: (Π×Q)/l
  double* const upper = v + std::ptrdiff_t{n3} * W;     // n: w of the elimination
  double* const found = upper + std::ptrdiff_t{n} * W;  // n: s before what lies behind
  for (int c = 0; c < 2 * n3; ++c) guess<W>(task, task.L + c * W).store(Lq + c * W);

  const auto at = [](const double* list, int i) __attribute__((always_inline)) {
    const double* const from = list + std::ptrdiff_t{3} * i * W;
    return Triple{{Lanes<W>::load(from), Lanes<W>::load(from + W), Lanes<W>::load(from + 2 * W)}};
  };
  const auto inner = [](const Triple& a, const Triple& b) __attribute__((always_inline)) {
    return a[0] * b[0] + (a[1] * b[1] + a[2] * b[2]);
  };
  const auto across = [](const Triple& a, const Triple& b) __attribute__((always_inline)) {
    return Triple{
        {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
  };
  // Q_i, Π_i and v_i.
  const auto place = [&](int i, Triple& Qi, Triple& vi) __attribute__((always_inline)) {
    Triple Pi;
    for (int c = 0; c < 3; ++c) {
      const std::ptrdiff_t place = std::ptrdiff_t{3 * i + c} * W;
      Qi[c] = M.times(Lq + place, Lanes<W>(q[3 * i + c]));
      Pi[c] = M.times(Lp + place, Lanes<W>(pi[3 * i + c]));
      Qi[c].store(Q + place);
      Pi[c].store(P + place);
    }
    vi = Lanes<W>(task.inverse_l[i]) * across(Pi, Qi);
    for (int c = 0; c < 3; ++c) vi[c].store(v + std::ptrdiff_t{3 * i + c} * W);
  };

  // Changes of π count relative to π itself or to what gravity adds to it, those of q to 1.
  double h = 0.0;
  for (int i = 0; i < task.tables->stages; ++i) h += task.tables->hb[i];
  double least = 1e-300;
  least = largest_size(task.weight, n, least);
  const double scale = largest_size(pi, n3, least * (h < 0.0 ? -h : h));
  hamel_lanes::GaussOutcome outcome;
  GaussStopping<double> stopping(task.tolerance, scale, false);
  while (outcome.iterations < task.max_iterations) {
    Triple here;
    Triple v_here;
    place(0, here, v_here);
    Lanes<W> right(0.0);  // what the link before adds
    Lanes<W> w(0.0);
    Lanes<W> r(0.0);
    Lanes<W> lower(0.0);
    double k_before = 0.0;
    // Row i of the matrix of s, eliminated as soon as it is there.
    const auto eliminate = [&](int i, double k, const Lanes<W>& above)
        __attribute__((always_inline)) {
      const Lanes<W> size = (k + k_before) * square(here);
      const Lanes<W> inverse = 1.0 / (size - lower * w);
      r = (lower * r + right) * inverse;
      w = above * inverse;
      w.store(upper + i * W);
      r.store(found + i * W);
    };
    for (int i = 0; i + 1 < n; ++i) {
      const double k = task.k[i];
      Triple next;
      Triple v_next;
      place(i + 1, next, v_next);
      const Lanes<W> above = k * inner(here, next);
      right += k * inner(v_next, here);
      eliminate(i, k, above);
      right = k * inner(v_here, next);
      lower = above;
      here = next;
      v_here = v_next;
      k_before = k;
    }
    eliminate(n - 1, task.k[n - 1], Lanes<W>(0.0));
    // s backwards, u_i = k_i(p_i − p_{i+1}) − k_{i−1}(p_{i−1} − p_i), and the rates.
    Lanes<W> change(0.0);
    const auto renew = [&](double* L, const Lanes<W>& rate, double size)
        __attribute__((always_inline)) {
      const Lanes<W> next = hb * rate;
      change = larger(change, size * (next - Lanes<W>::load(L)));
      next.store(L);
    };
    Lanes<W> s = r;
    Triple p = v_here + s * here;
    Triple after = Lanes<W>(task.k[n - 1]) * p;
    for (int i = n - 1; i >= 0; --i) {
      Triple u = after;
      Lanes<W> s_before(0.0);
      Triple before;
      if (i > 0) {
        before = at(Q, i - 1);
        s_before = Lanes<W>::load(upper + (i - 1) * W) * s + Lanes<W>::load(found + (i - 1) * W);
        Triple p_before = at(v, i - 1);
        for (int c = 0; c < 3; ++c) p_before[c] += s_before * before[c];
        after = Lanes<W>(task.k[i - 1]) * (p_before - p);
        u = u - after;
        p = p_before;
      }
      const Lanes<W> inverse(task.inverse_l[i]);
      const Lanes<W> stretch = inverse * square(here);
      const Lanes<W> along = -(inverse * inner(u, at(P, i)));
      const Triple turn = across(here, u);
      Triple torque;
      for (int c = 0; c < 3; ++c) torque[c] = along * here[c] - s * turn[c];
      const Lanes<W> weight(task.weight[i]);
      torque[0] -= weight * here[1];  // [MATH 7.6]
      torque[1] += weight * here[0];
      for (int c = 0; c < 3; ++c) {
        const std::ptrdiff_t place = std::ptrdiff_t{3 * i + c} * W;
        renew(Lq + place, stretch * u[c], scale);
        renew(Lp + place, torque[c], 1.0);
      }
      s = s_before;
      here = before;
    }
    if (ends(stopping, change.largest(), outcome)) break;
  }
  if (!outcome.converged) return outcome;
  for (int c = 0; c < 2 * n3; ++c)
    outcome.converged &= finish(Lanes<W>::load(Lq + c * W), task.L + c * W, task.dz[c]);
  return outcome;
}
#undef HAMEL_INLINE

}  // namespace hamel::lanes
