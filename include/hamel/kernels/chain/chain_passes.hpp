// SPDX-License-Identifier: BSD-3-Clause
// The passes over a chain that make a step of D2's variational integrator, in any precision.
//                                                                                        [MATH 7.2]
//
//   trial:     d' = d + h(u + T(λ)d + kick) and the residuals |d_i'|² − l_i²;
//   solve:     Newton's equations for λ, or those for μ, tridiagonal, their rows eliminated as they
//              are formed, from both ends towards the middle, so that divisions overlap:
//                forth x_i = r_i − w_i x_{i+1}, w_i = U_i/(D_i − L_i w_{i−1}), back the mirror
//                image;
//   positions: Newton's iteration for λ;
//   project:   μ such that d_i'·u_i' = 0;
//   velocities: u½ → u'.
// `Links` has k[i] = 1/m_i, c(i) = k_i + k_{i−1}, l2(i) = l_i² and inverse_l2(i) = 1/l_i²;
// kick(i, x) is x + (h/2)(a − g e3 δ_i1). chain_kernel.hpp has the same operations for one chain of
// doubles in wide registers, chain_lanes.hpp for the lanes of an ensemble.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/kernels/chain/chain_newton.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel {

/// Where the passes work: n vectors each, or n numbers.
template <class S>
struct ChainWork {
  S* next;    ///< d'
  S* change;  ///< u½ − u
  S* steps;   ///< d' − d before rounding; null without compensated summation
  S* lambda;
  S* right;
  S* w;
};

/// The largest | |d_i'|²/l_i² − 1 |; note(i) at each link that is the worst so far.
template <class S, class Links, class Kick, class Note>
HAMEL_FN S chain_trial(const Links& links, int n, const Kick& kick, const S* d, const S* u,
                       const S* carry, const S& h, const ChainWork<S>& to, Note&& note) noexcept {
  const Vec<S, 3> zero{{S(0.0), S(0.0), S(0.0)}};
  S worst = S(0.0);
  Vec<S, 3> pull_before = zero;  // k_{i−1}(λ_i d_i − λ_{i−1} d_{i−1})
  Vec<S, 3> tension = to.lambda[0] * vec_at(d, 0);
  for (int i = 0; i < n; ++i) {
    const Vec<S, 3> tension_after = i + 1 < n ? to.lambda[i + 1] * vec_at(d, i + 1) : zero;
    const Vec<S, 3> pull = links.k[i] * (tension_after - tension);
    const Vec<S, 3> du = kick(i, pull - pull_before);  // [MATH 7.2]
    Vec<S, 3> dd = h * (vec_at(u, i) + du);
    if (carry != nullptr) {
      dd = dd + vec_at(carry, i) + h * vec_at(carry + 3 * n, i);
      put(to.steps, i, dd);
    }
    put(to.change, i, du);
    const Vec<S, 3> next = vec_at(d, i) + dd;  // [MATH 7.2]
    put(to.next, i, next);
    const S residual = norm2(next) - links.l2(i);
    to.right[i] = -residual;
    const S size = abs(residual * links.inverse_l2(i));
    if (!(size <= worst)) {
      worst = size;
      note(i);
    }
    tension = tension_after;
    pull_before = pull;
  }
  return worst;
}

/// Solves with the rows (scale k_{i−1} a_i·b_{i−1}, −scale c_i a_i·b_i, scale k_i a_i·b_{i+1}),
/// which are eliminated as they are formed: put(i, x_i); false where that is not finite. Symmetric:
/// a is b. Overwrites right. Lists a, b are whatever vec_at(list, i) reads.
template <bool Symmetric, class S, class Links, class A, class B, class Put>
HAMEL_FN bool chain_solve(const Links& links, int n, const A& a, const B& b, const S& scale,
                          const ChainWork<S>& m, Put&& put_number) noexcept {
  const int middle = n / 2;
  const auto lower = [&](int i) {
    return (scale * links.k[i - 1]) * dot(vec_at(a, i), vec_at(b, i - 1));
  };
  const auto diagonal = [&](int i) {
    return -(scale * links.c(i)) * dot(vec_at(a, i), vec_at(b, i));
  };
  const auto upper = [&](int i) {
    return (scale * links.k[i]) * dot(vec_at(a, i), vec_at(b, i + 1));
  };
  S wf = S(0.0);
  S rf = S(0.0);
  S wb = S(0.0);
  S rb = S(0.0);
  // Each returns the entry of its row on the far side: in a symmetric matrix the near one of the
  // next row.
  const auto forth = [&](int i, const S& below) {
    const S inverse = S(1.0) / (diagonal(i) - below * wf);
    const S above = upper(i);
    rf = (m.right[i] - below * rf) * inverse;
    wf = above * inverse;
    m.w[i] = wf;
    m.right[i] = rf;
    return above;
  };
  const auto back = [&](int j, const S& above) {
    const S inverse = S(1.0) / (diagonal(j) - above * wb);
    const S below = lower(j);
    rb = (m.right[j] - above * rb) * inverse;
    wb = below * inverse;
    m.w[j] = wb;
    m.right[j] = rb;
    return below;
  };
  // From the ends towards the middle.
  const int pairs = (n - 1) / 2;
  S below = S(0.0);
  S above = S(0.0);
  if (pairs > 0) {
    below = forth(0, below);
    above = back(n - 1, above);
  }
  for (int i = 1; i < pairs; ++i) {
    const int j = n - 1 - i;
    below = forth(i, Symmetric ? below : lower(i));
    above = back(j, Symmetric ? above : upper(j));
  }
  if (n % 2 == 0) {
    const int i = middle - 1;
    below = forth(i, Symmetric || i == 0 ? below : lower(i));
  }
  if (!Symmetric && middle > 0) below = lower(middle);
  if (!Symmetric && middle + 1 < n) above = upper(middle);
  const S found =
      (m.right[middle] - below * rf - above * rb) / (diagonal(middle) - below * wf - above * wb);
  S up = found;
  S down = found;
  put_number(middle, found);
  if (n % 2 == 0) {
    up = m.right[middle - 1] - m.w[middle - 1] * up;
    put_number(middle - 1, up);
  }
  for (int i = pairs - 1; i >= 0; --i) {
    const int j = n - 1 - i;
    up = m.right[i] - m.w[i] * up;
    down = m.right[j] - m.w[j] * down;
    put_number(i, up);
    put_number(j, down);
  }
  const S size = abs(found) + (abs(up) + abs(down));
  return size - size == S(0.0);
}

/// λ and with it d' and u½ − u, from the guess in λ; trial() makes a pass.
template <class S, class Links, class Trial>
HAMEL_FN StepReport<S> chain_positions(const Links& links, int n, const SolverOptions& solver,
                                       const S* d, const S& h, const ChainWork<S>& to,
                                       Trial&& trial) noexcept {
  const ChainNewton<S> newton(solver.tolerance);
  StepReport<S> report;
  S previous = S(1e300);
  for (int iteration = 0; iteration < solver.max_iterations; ++iteration) {
    const S worst = trial();
    ++report.iterations;
    if (newton.found(worst, previous)) return report;
    if (ChainNewton<S>::lost(worst)) break;
    chain_solve<false>(links, n, to.next, d, h + h, to,
                       [&](int i, const S& x) { to.lambda[i] = to.lambda[i] + x; });
    previous = worst;
  }
  report.no_solution = true;  // the links cannot be kept: the step is too large
  return report;
}

/// μ, in right, such that d_i'·(u + change + kick + T(μ)d')_i = 0; false where that is not finite.
template <class S, class Links, class Kick>
HAMEL_FN bool chain_project(const Links& links, int n, const Kick& kick, const S* u,
                            const ChainWork<S>& to) noexcept {
  const S* d = to.next;
  for (int i = 0; i < n; ++i)
    to.right[i] = -dot(vec_at(d, i), vec_at(u, i) + kick(i, vec_at(to.change, i)));
  return chain_solve<true>(links, n, d, d, S(1.0), to, [&](int i, const S& x) { to.right[i] = x; });
}

/// each(i, u' − u): change + kick + T(μ)d'.                                          [MATH 7.2]
template <class S, class Links, class Kick, class Each>
HAMEL_FN void chain_velocities(const Links& links, int n, const Kick& kick, const ChainWork<S>& to,
                               Each&& each) noexcept {
  const S* d = to.next;
  const S* mu = to.right;
  Vec<S, 3> pull_before{{S(0.0), S(0.0), S(0.0)}};
  Vec<S, 3> tension = mu[0] * vec_at(d, 0);
  for (int i = 0; i < n; ++i) {
    Vec<S, 3> tension_after{{S(0.0), S(0.0), S(0.0)}};
    if (i + 1 < n) tension_after = mu[i + 1] * vec_at(d, i + 1);
    const Vec<S, 3> pull = links.k[i] * (tension_after - tension);
    each(i, kick(i, vec_at(to.change, i)) + (pull - pull_before));
    tension = tension_after;
    pull_before = pull;
  }
}

/// λ of the next step from λ/h of the last four, the last one first, or of as many as there are.
template <class S>
HAMEL_FN void chain_guess(int n, std::int64_t history, const S* last, const S& h,
                          S* lambda) noexcept {
  const S* before = last + n;
  const S* older = before + n;
  const S* oldest = older + n;
  if (history >= 4) {
    for (int i = 0; i < n; ++i)
      lambda[i] = h * (S(4.0) * (last[i] + older[i]) - S(6.0) * before[i] - oldest[i]);
  } else if (history == 3) {
    for (int i = 0; i < n; ++i) lambda[i] = h * (S(3.0) * (last[i] - before[i]) + older[i]);
  } else if (history == 2) {
    for (int i = 0; i < n; ++i) lambda[i] = h * (S(2.0) * last[i] - before[i]);
  } else {
    for (int i = 0; i < n; ++i) lambda[i] = h * last[i];
  }
}

}  // namespace hamel
