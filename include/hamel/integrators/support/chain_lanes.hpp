// D2's variational step of chains in lanes: chains of as many links, each with its own masses,
// lengths and gravity, without other forces. The state is that of chain_kernel.hpp, and so are the
// operations; constants: n masses, n lengths, gravity.
#pragma once

#include "hamel/core/lanes.hpp"
#include "hamel/integrators/support/chain_kernel.hpp"
#include "hamel/integrators/support/chain_passes.hpp"
#include "hamel/integrators/support/ensemble_kernels.hpp"
#include "hamel/integrators/support/sphere_lanes.hpp"

namespace hamel::lanes {

/// One register: its passes have enough to do while they wait for a division.
inline constexpr int chains_together = register_lanes;
using Chains = Lanes<chains_together>;

struct ChainsLinks {
  const Chains* k;
  const Chains* l;
  const Chains* inverse;

  Chains c(int i) const { return i > 0 ? k[i] + k[i - 1] : k[i]; }
  Chains l2(int i) const { return l[i] * l[i]; }
  Chains inverse_l2(int i) const { return inverse[i]; }
};

/// (h/2)·tension of the continuous motion, d_i·ü_i + |u_i|² = 0: the first guess.        [MATH 7.2]
inline void member_tensions(const ChainsLinks& links, int n, const Chains& gravity, const Chains& h,
                            const Chains* d, const Chains* u,
                            const ChainWork<Chains>& to) noexcept {
  for (int i = 0; i < n; ++i) to.right[i] = -norm2(vec_at(u, i));
  to.right[0] = to.right[0] + gravity * d[2];
  chain_solve(links, n, d, d, Chains(1.0), to, to.right, false, LaneMask<chains_together>(true));
  for (int i = 0; i < n; ++i) to.lambda[i] = Chains(0.5) * h * to.right[i];
}

/// One step of all lanes; those that fail keep their state.
inline StepReport<Chains> chain_step(const ChainsLinks& links, int n, const Chains& gravity,
                                     const Chains& h, const SolverOptions& solver,
                                     std::int64_t history, Chains* state,
                                     const ChainWork<Chains>& to) noexcept {
  Chains* d = state;
  Chains* u = state + 3 * n;
  Chains* last = state + 6 * n;
  const Chains half = Chains(0.5) * h;
  const Chains inverse_h = Chains(1.0) / h;
  const auto kick = [&](int i) {
    return Vec<Chains, 3>{{Chains(0.0), Chains(0.0), i == 0 ? -half * gravity : Chains(0.0)}};
  };
  if (history > 0)
    chain_guess(n, history, last, h, to.lambda);
  else
    member_tensions(links, n, gravity, h, d, u, to);
  StepReport<Chains> report = chain_positions(links, n, solver, d, h, to, [&] {
    return chain_trial(links, n, kick, d, u, static_cast<const Chains*>(nullptr), h, to,
                       [](int) {});
  });
  report.singular = report.singular || !chain_project(links, n, kick, u, to);
  const LaneMask<chains_together> good = !report.failed();
  for (int i = 0; i < 3 * n; ++i) {
    d[i] = select(good, to.next[i], d[i]);
    u[i] = select(good, u[i] + to.change[i], u[i]);
  }
  for (int i = 0; i < n; ++i) {
    last[3 * n + i] = last[2 * n + i];
    last[2 * n + i] = last[n + i];
    last[n + i] = last[i];
    last[i] = to.lambda[i] * inverse_h;
  }
  return report;
}

inline void chain_steps(const hamel_lanes::EnsembleTask& task,
                        hamel_lanes::EnsembleOutcome& outcome) noexcept {
  constexpr int lanes = hamel_lanes::ensemble_lanes;
  const int n = task.links;
  const SolverOptions solver{task.tolerance, task.max_iterations};
  const std::int64_t stride = hamel_lanes::chain_stride(n);
  const auto place = [&](int list, int i) {
    return (list * stride + hamel_lanes::chain_pad + i) * lanes;
  };
  // λ/h, the last one first; in the state its place goes round.
  const auto remembered = [&](int ago, std::int64_t history) {
    return 6 + static_cast<int>((history + 3 - ago) % 4);
  };
  // All lists of a group, one after the other in the scratch memory.
  auto* state = reinterpret_cast<Chains*>(task.scratch);
  Chains* k = state + 10 * n;
  Chains* l = k + n;
  Chains* inverse = l + n;
  Chains* work = inverse + n;
  const ChainWork<Chains> to{work, work + 3 * n, nullptr, work + 6 * n, work + 7 * n, work + 8 * n};
  for (int first = 0; first < lanes; first += chains_together) {
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) {
        state[3 * i + c] = Chains::load(task.state + place(c, i) + first);
        state[3 * (n + i) + c] = Chains::load(task.state + place(3 + c, i) + first);
      }
      for (int ago = 0; ago < 4; ++ago)
        state[(6 + ago) * n + i] =
            Chains::load(task.state + place(remembered(ago, task.history), i) + first);
      k[i] = Chains(1.0) / Chains::load(task.constants + i * lanes + first);
      l[i] = Chains::load(task.constants + (n + i) * lanes + first);
      inverse[i] = Chains(1.0) / (l[i] * l[i]);
    }
    const Chains gravity = Chains::load(task.constants + 2 * n * lanes + first);
    MemberCount<chains_together> count;
    for (std::int64_t i = 0; i < task.steps; ++i)
      if (!count.add(chain_step({k, l, inverse}, n, gravity, Chains(task.h), solver,
                                task.history + i, state, to)))
        break;
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) {
        state[3 * i + c].store(task.state + place(c, i) + first);
        state[3 * (n + i) + c].store(task.state + place(3 + c, i) + first);
      }
      for (int ago = 0; ago < 4; ++ago)
        state[(6 + ago) * n + i].store(
            task.state + place(remembered(ago, task.history + task.steps), i) + first);
    }
    count.write(outcome, first);
  }
}

}  // namespace hamel::lanes
