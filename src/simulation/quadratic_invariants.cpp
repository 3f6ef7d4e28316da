// Which invariants are quadratic, found by probing.
//
// Along lines z(s) = z0 + s d in (q, P) an invariant must be a quadratic polynomial of s (its third
// and fourth differences vanish), and along the flow its rate İ = I_q·v + I_ξ·ξ̇ + I_t must vanish
// at points off z0 too. Quad arithmetic leaves 1e-20 between round-off and anything else.
#include <random>

#include "hamel/integrators/support/momentum_inverse.hpp"
#include "hamel/simulation/frame_problem.hpp"

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
    // the rate: I_q·v + I_t, I_ξ, M and M ξ̇
    Expressions rate = directional(values, model.q, e.velocity);
    const Expressions by_time = derivative(values, model.t);
    for (std::size_t i = 0; i < rate.size(); ++i) rate[i] += by_time[i];
    const Expressions by_xi = jacobian(values, xi);
    rate.insert(rate.end(), by_xi.begin(), by_xi.end());
    const Expressions mass = jacobian(e.momentum, xi);
    rate.insert(rate.end(), mass.begin(), mass.end());
    const Expressions transport = directional(e.momentum, model.q, e.velocity);
    const Expressions momentum_t = derivative(e.momentum, model.t);
    for (std::size_t j = 0; j < model.frame.size(); ++j)
      rate.push_back(e.rate[j] + e.force[j] - transport[j] - momentum_t[j]);
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

  /// Their rates there, relative to the size of the terms.
  std::vector<Quad> rates(const std::vector<Quad>& d, Quad s) {
    std::vector<Quad> result(index(count_));
    if (!go(d, s)) return {};
    rate_(in_.data(), rates_.data());
    Quad* by_xi = rates_.data() + count_;
    Quad* mass = by_xi + count_ * m_;
    Quad* acceleration = mass + m_ * m_;
    std::vector<int> pivot(index(m_));
    if (!lu_factor(mass, m_, pivot.data())) return {};
    lu_solve(mass, m_, pivot.data(), acceleration);
    for (int i = 0; i < count_; ++i) {
      Quad sum = rates_[index(i)];
      Quad size = abs(sum) + Quad(1e-12);
      for (int j = 0; j < m_; ++j) {
        sum += by_xi[i * m_ + j] * acceleration[j];
        size += abs(by_xi[i * m_ + j] * acceleration[j]);
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
};

}  // namespace

std::vector<std::string> quadratic_invariants(const FrameModel& model, const Expressions& momentum,
                                              const FrameInitial& at) {
  Probe probe(model, momentum, at);
  std::vector<bool> kept(index(probe.count()), true);
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
