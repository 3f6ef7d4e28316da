// D2's variational step of chains in lanes: chains of as many links, each with its own masses,
// lengths and gravity, without other forces. The state is that of chain_kernel.hpp, and so are the
// operations; constants: n masses, n lengths, gravity.
#pragma once

#include <utility>

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

/// Chains of a group between two steps; the lists of a number each, or of a vector, link by link.
struct ChainsState {
  Chains* d;
  Chains* u;
  ChainMemory<Chains> memory;
  std::int64_t history;  ///< steps remembered
};

/// (h/2)·tension of the continuous motion, d_i·ü_i + |u_i|² = 0: the first guess.        [MATH 7.2]
inline void member_tensions(const ChainsLinks& links, int n, const Chains& gravity, const Chains& h,
                            const ChainsState& state, const ChainWork<Chains>& to) noexcept {
  for (int i = 0; i < n; ++i) to.right[i] = -norm2(vec_at(state.u, i));
  to.right[0] = to.right[0] + gravity * state.d[2];
  chain_solve<true>(links, n, state.d, state.d, Chains(1.0), to, to.right, false,
                    LaneMask<chains_together>(true));
  for (int i = 0; i < n; ++i) to.lambda[i] = Chains(0.5) * h * to.right[i];
}

/// One step of all lanes; those that fail keep their state. Lists change places with those of the
/// work instead of being copied.
inline StepReport<Chains> chain_step(const ChainsLinks& links, int n, const Chains& gravity,
                                     const Chains& h, const Chains& inverse_h,
                                     const SolverOptions& solver, ChainsState& state,
                                     ChainWork<Chains>& to) noexcept {
  using Vector = Vec<Chains, 3>;
  const Chains fall = -(Chains(0.5) * h) * gravity;
  const auto kick = [&](int i, Vector x) {
    if (i == 0) x[2] = x[2] + fall;
    return x;
  };
  if (state.history > 0)
    chain_guess(n, state.history, state.memory, h, to.lambda);
  else
    member_tensions(links, n, gravity, h, state, to);
  StepReport<Chains> report = chain_positions(links, n, solver, state.d, h, to, [&] {
    return chain_trial(links, n, kick, state.d, state.u, static_cast<const Chains*>(nullptr), h, to,
                       [](int) {});
  });
  report.singular = report.singular || !chain_project(links, n, kick, state.u, to);
  const LaneMask<chains_together> good = !report.failed();
  const bool all_good = all(good);
  Chains* oldest = state.memory.list[3];
  chain_velocities(links, n, kick, to, [&](int i, const Vector& change) {
    Vector now = vec_at(state.u, i) + change;
    if (!all_good) [[unlikely]] {
      for (int c = 0; c < 3; ++c) {
        now[c] = select(good, now[c], state.u[3 * i + c]);
        to.next[3 * i + c] = select(good, to.next[3 * i + c], state.d[3 * i + c]);
      }
    }
    put(state.u, i, now);
    oldest[i] = to.lambda[i] * inverse_h;
  });
  std::swap(state.d, to.next);
  state.memory.turn();
  ++state.history;
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
  auto* lists = reinterpret_cast<Chains*>(task.scratch);
  Chains* last = lists + 6 * n;
  Chains* k = lists + 10 * n;
  Chains* l = k + n;
  Chains* inverse = l + n;
  Chains* work = inverse + n;
  const Chains h(task.h);
  const Chains inverse_h = Chains(1.0) / h;
  for (int first = 0; first < task.members; first += chains_together) {
    ChainsState state{
        lists, lists + 3 * n, {{last, last + n, last + 2 * n, last + 3 * n}}, task.history};
    ChainWork<Chains> to{work, work + 3 * n, nullptr, work + 6 * n, work + 7 * n, work + 8 * n};
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) {
        state.d[3 * i + c] = Chains::load(task.state + place(c, i) + first);
        state.u[3 * i + c] = Chains::load(task.state + place(3 + c, i) + first);
      }
      for (int ago = 0; ago < 4; ++ago)
        state.memory.list[ago][i] =
            Chains::load(task.state + place(remembered(ago, task.history), i) + first);
      k[i] = Chains(1.0) / Chains::load(task.constants + i * lanes + first);
      l[i] = Chains::load(task.constants + (n + i) * lanes + first);
      inverse[i] = Chains(1.0) / (l[i] * l[i]);
    }
    const Chains gravity = Chains::load(task.constants + 2 * n * lanes + first);
    MemberCount<chains_together> count;
    for (std::int64_t i = 0; i < task.steps; ++i)
      if (!count.add(chain_step({k, l, inverse}, n, gravity, h, inverse_h, solver, state, to)))
        break;
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) {
        state.d[3 * i + c].store(task.state + place(c, i) + first);
        state.u[3 * i + c].store(task.state + place(3 + c, i) + first);
      }
      for (int ago = 0; ago < 4; ++ago)
        state.memory.list[ago][i].store(
            task.state + place(remembered(ago, task.history + task.steps), i) + first);
    }
    count.write(outcome, first);
  }
}

}  // namespace hamel::lanes
