// SPDX-License-Identifier: BSD-3-Clause
// Which invariants are quadratic, found by probing.
//
// Along lines z(s) = z0 + s d in (q, P) an invariant must be a quadratic polynomial of s (its third
// and fourth differences vanish), and along the flow its rate
//   İ = I_q·v + I_t + λ·g,   Mᵀλ = I_ξ,   M ξ̇ = g,   M = P_ξ, g = F + Q − P_q·v − P_t,
// must vanish at points off z0 too, relative to the size of its terms. Quad arithmetic leaves 1e-20
// between round-off and anything else. A formula that changes in a kink is seen on one side of it
// only: an invariant that has one, or whose rate a force with one enters, counts as none.
#include <cmath>
#include <random>

#include "hamel/expressions/domain.hpp"
#include "hamel/models/momentum_inverse.hpp"
#include "hamel/runs/frame_problem.hpp"

namespace hamel {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class Probe {
 public:
  Probe(const FrameModel& model, const Expressions& momentum, const FrameInitial& at)
      : N_(model.coordinates_count()), m_(model.fields()), inverse_(model, momentum) {
    const FrameEquations e = frame_equations(model);
    const auto xi = model.admissible();
    const Expressions values = watched_quantities(model, e);
    count_ = static_cast<int>(values.size());

    const Expressions inputs = model.variables();
    values_ = Evaluator<Quad>(Program(inputs, values));
    Expressions rate = jacobian(values, model.q);
    const auto add = [&](const Expressions& list) {
      rate.insert(rate.end(), list.begin(), list.end());
    };
    add(e.velocity);
    add(derivative(values, model.t));
    add(jacobian(values, xi));
    add(jacobian(e.momentum, xi));
    const Expressions transport = directional(e.momentum, model.q, e.velocity);
    const Expressions momentum_t = derivative(e.momentum, model.t);
    for (std::size_t j = 0; j < model.frame.size(); ++j) {
      const Expression g = e.rate[j] + e.force[j] - transport[j] - momentum_t[j];
      bent_force_.push_back(may_have_kinks({&g, 1}));
      rate.push_back(g);
    }
    const bool bent =
        may_have_kinks(momentum) || may_have_kinks(e.momentum) || may_have_kinks(e.velocity);
    for (const Expression& value : values) bent_.push_back(bent || may_have_kinks({&value, 1}));
    rate_ = Evaluator<Quad>(Program(inputs, rate));
    in_.resize(inputs.size());
    rates_.resize(rate.size());
    z0_.assign(at.q.begin(), at.q.end());
    xi0_.assign(at.xi.begin(), at.xi.end());
    z0_.resize(index(N_ + m_));
    inverse_.momentum(z0_.data(), xi0_.data(), Quad(0), z0_.data() + N_);
  }

  int count() const { return count_; }

  /// The invariants at z0 + s d; empty where the state does not exist.
  std::vector<Quad> values(const std::vector<Quad>& d, Quad s) {
    std::vector<Quad> result(index(count_));
    if (!go(d, s)) return {};
    values_(in_.data(), result.data());
    return result;
  }

  /// Whether the invariant's formula changes in a kink.
  bool bent(int i) const { return bent_[index(i)]; }

  /// Their rates there, relative to the size of the terms; NaN where a force with a kink enters.
  std::vector<Quad> rates(const std::vector<Quad>& d, Quad s) {
    std::vector<Quad> result(index(count_));
    if (!go(d, s)) return {};
    rate_(in_.data(), rates_.data());
    const Quad* by_q = rates_.data();
    const Quad* velocity = by_q + count_ * N_;
    const Quad* by_t = velocity + N_;
    const Quad* by_xi = by_t + count_;
    const Quad* mass = by_xi + count_ * m_;
    const Quad* g = mass + m_ * m_;
    std::vector<Quad> transposed(index(m_ * m_));
    for (int i = 0; i < m_; ++i)
      for (int j = 0; j < m_; ++j) transposed[index(j * m_ + i)] = mass[i * m_ + j];
    std::vector<int> pivot(index(m_));
    if (!lu_factor(transposed.data(), m_, pivot.data())) return {};
    for (int i = 0; i < count_; ++i) {
      Quad sum = by_t[i];
      Quad size = abs(by_t[i]) + Quad(1e-10);  // terms that are nothing but round-off vanish
      const auto add = [&](const Quad& term) {
        sum += term;
        size += abs(term);
      };
      for (int b = 0; b < N_; ++b) add(by_q[i * N_ + b] * velocity[b]);
      std::vector<Quad> weight(by_xi + i * m_, by_xi + (i + 1) * m_);
      lu_solve(transposed.data(), m_, pivot.data(), weight.data());
      Quad largest = 0;
      for (const Quad& w : weight) largest = max(largest, abs(w));
      for (int j = 0; j < m_; ++j) {
        add(weight[index(j)] * g[j]);
        if (bent_force_[index(j)] && abs(weight[index(j)]) > Quad(1e-25) * largest)
          size = Quad(NAN);
      }
      result[index(i)] = abs(sum) / size;
    }
    return result;
  }

 private:
  bool go(const std::vector<Quad>& d, Quad s) {
    std::vector<Quad> z(z0_);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += s * d[i];
    std::vector<Quad> xi = xi0_;
    if (!inverse_(z.data(), z.data() + N_, Quad(0), xi.data())) return false;
    for (int b = 0; b < N_; ++b) in_[index(b)] = z[index(b)];
    for (int j = 0; j < m_; ++j) in_[index(N_ + j)] = xi[index(j)];
    in_[index(N_ + m_)] = 0;
    return true;
  }

  int N_, m_, count_ = 0;
  MomentumInverse<Quad> inverse_;
  Evaluator<Quad> values_, rate_;
  std::vector<Quad> in_, rates_, z0_, xi0_;
  std::vector<bool> bent_, bent_force_;
};

}  // namespace

std::vector<std::string> quadratic_invariants(const FrameModel& model, const Expressions& momentum,
                                              const FrameInitial& at) {
  Probe probe(model, momentum, at);
  std::vector<bool> kept(index(probe.count()));
  for (int i = 0; i < probe.count(); ++i) kept[index(i)] = !probe.bent(i);
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  for (int line = 0; line < 3; ++line) {
    std::vector<Quad> d(index(model.coordinates_count() + model.fields()));
    for (Quad& x : d) x = Quad(uniform(random));
    std::vector<std::vector<Quad>> v;
    for (int s = 0; s < 5; ++s) v.push_back(probe.values(d, Quad(s)));
    const std::vector<Quad> rate = probe.rates(d, Quad(1));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      bool defined = !rate.empty();
      for (const auto& list : v) defined = defined && !list.empty();
      if (!defined) {
        kept[i] = false;
        continue;
      }
      const Quad third = v[3][i] - 3 * v[2][i] + 3 * v[1][i] - v[0][i];
      const Quad fourth = v[4][i] - 4 * v[3][i] + 6 * v[2][i] - 4 * v[1][i] + v[0][i];
      const Quad scale = abs(v[0][i]) + abs(v[4][i]) + Quad(1e-6);
      const bool quadratic =
          abs(third) <= Quad(1e-24) * scale && abs(fourth) <= Quad(1e-24) * scale;
      kept[i] = kept[i] && quadratic && rate[i] <= Quad(1e-22);
    }
  }
  std::vector<std::string> names;
  if (kept[0]) names.emplace_back("energy");
  for (std::size_t i = 0; i < model.invariants.size(); ++i)
    if (kept[i + 1]) names.emplace_back(model.invariants[i].name);
  return names;
}

}  // namespace hamel
