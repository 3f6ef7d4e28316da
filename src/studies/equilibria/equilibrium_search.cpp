// SPDX-License-Identifier: BSD-3-Clause
// Roots of F(z, ω) in the reduced space, see studies/equilibria.hpp.
#include <cmath>

#include "hamel/solve/dense.hpp"
#include "reduced_map.hpp"

namespace hamel::reduced {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

constexpr int most_iterations = 100;
constexpr int most_from_near = 30;  // with a component prescribed, guesses come from the family
// Of |J|(1 + |z|): where the iteration may end, some digits above the round-off of a step divided
// by h, and what it must have reached by then.
constexpr double reached = 1e-26;
constexpr double enough = 1e-18;

/// −(JᵀJ + λ)⁻¹ JᵀF.
std::optional<State> damped_step(const Matrix& J, const State& F, const Quad& lambda) {
  const int n = J.columns;
  State a(index(n * n));
  State x(index(n));
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < J.rows; ++k) {
      x[index(i)] -= J(k, i) * F[index(k)];
      for (int j = 0; j < n; ++j) a[index(i * n + j)] += J(k, i) * J(k, j);
    }
    a[index(i * n + i)] += lambda;
  }
  std::vector<int> pivot(index(n));
  if (!lu_factor(a.data(), n, pivot.data())) return std::nullopt;
  lu_solve(a.data(), n, pivot.data(), x.data());
  return x;
}

/// Not farther at once than charts reach, lest a root near by is missed.
void shorten(State& step) {
  constexpr double longest = 0.3;
  const Quad size = norm(step);
  if (!(size > Quad(longest))) return;
  for (Quad& x : step) x *= Quad(longest) / size;
}

/// F in the chart at a base point, as a function of x = (c, ω − ω_base); below it the distance from
/// the prescribed value, weighted to count alike.
class Residual {
 public:
  Residual(ReducedSpace& space, StepMap<Quad>& flow, const Quad& h,
           const std::optional<Fixed>& fixed)
      : space_(space), flow_(flow), h_(h), fixed_(fixed) {}

  void base_at(const ReducedState& base) {
    space_.base_at(base.z);
    turning_ = base.turning;
  }
  std::size_t unknowns() const { return index(space_.dimension()) + turning_.size(); }

  ReducedState at(const State& x) const {
    const auto d = static_cast<std::ptrdiff_t>(space_.dimension());
    ReducedState to{space_.at(State(x.begin(), x.begin() + d)), turning_};
    for (std::size_t a = 0; a < turning_.size(); ++a)
      to.turning[a] += x[index(space_.dimension()) + a];
    return to;
  }

  std::optional<State> operator()(const State& x) {
    const ReducedState there = at(x);
    Map map(space_, flow_, h_);
    auto F = map.residual(there.z, there.turning);
    if (F && fixed_) F->push_back(weight_ * (fixed_->of(there.z, there.turning) - fixed_->value));
    return F;
  }

  /// At x = 0.
  std::optional<Matrix> derivative() {
    Map map(space_, flow_, h_);
    const auto A = map.derivative(turning_, Differences::two);
    const auto by = map.by_turning(turning_);
    if (!A || !by) return std::nullopt;
    Matrix J = residual_derivative(*A, *by, h_);
    if (!fixed_) return J;
    weight_ = max(weight_, norm(J));
    const Quad d = 1e-10;
    for (std::size_t j = 0; j < unknowns(); ++j) {
      const auto value = [&](const Quad& distance) {
        State x(unknowns());
        x[j] = distance;
        const ReducedState there = at(x);
        return fixed_->of(there.z, there.turning);
      };
      J.values.push_back(weight_ * (value(d) - value(-d)) / (2 * d));
    }
    ++J.rows;
    return J;
  }

 private:
  ReducedSpace& space_;
  StepMap<Quad>& flow_;
  Quad h_;
  const std::optional<Fixed>& fixed_;
  State turning_;
  Quad weight_ = 1;
};

}  // namespace

Found search(ReducedSpace& space, StepMap<Quad>& flow, const Quad& h, const ReducedState& guess,
             const std::optional<Fixed>& fixed, bool far, const std::atomic<bool>* stop) {
  Residual residual(space, flow, h, fixed);
  Found found;
  found.state = guess;
  found.state.turning.resize(index(space.group()));
  found.left = HUGE_VAL;
  // λ = damping |F||J|: in directions in which F hardly changes, along a family above all, steps
  // stay short.
  Quad damping = 1;
  bool stagnant = false;
  Quad milestone = HUGE_VAL;
  const int most = fixed && fixed->kind != Fixed::Kind::speed ? most_from_near : most_iterations;
  // What has been reached by and by is made exact: at double roots the state has half the digits.
  const auto may_go_on = [&] {
    return found.iterations < (found.reached ? most_iterations : most) &&
           (stop == nullptr || !*stop);
  };
  while (may_go_on()) {
    residual.base_at(found.state);
    const auto J = residual.derivative();
    State x(residual.unknowns());
    auto F = residual(x);
    if (!J || !F) break;
    ++found.iterations;
    found.slope = norm(*J);
    found.left = norm(*F);
    const Quad scale = found.slope * (1 + norm(found.state.z));
    const auto ends = [&] {
      found.reached = found.left <= Quad(enough) * scale;
      return found.left <= Quad(reached) * scale || (stagnant && found.reached);
    };
    // Steps with one matrix, as long as they gain much.
    bool gained = true;
    bool moved = false;
    while (gained && !ends()) {
      gained = false;
      for (int tries = 0; tries < 30; ++tries) {
        const Quad lambda = (damping * found.left + Quad(1e-32) * found.slope) * found.slope;
        auto by = damped_step(*J, *F, lambda);
        if (by && !far) shorten(*by);
        State next = x;
        for (std::size_t i = 0; by && i < x.size(); ++i) next[i] += (*by)[i];
        const auto F_next = by ? residual(next) : std::nullopt;
        if (F_next && norm(*F_next) < found.left) {
          const Quad part = norm(*F_next) / found.left;
          gained = part < Quad(0.02);
          stagnant = part > Quad(0.5);
          moved = true;
          x = next;
          F = F_next;
          found.left = norm(*F);
          damping = max(damping / 4, Quad(1e-3));
          break;
        }
        if (moved) break;  // perhaps the matrix is old
        damping *= 8;
      }
    }
    // Ten matrices without a fifth of the residual gone lead nowhere.
    if (found.iterations % 10 == 0) {
      if (!found.reached && found.left > Quad(0.8) * milestone) break;
      milestone = found.left;
    }
    const bool done = ends();
    if (moved) found.state = residual.at(x);
    if (done || !moved) break;
  }
  space.base_at(found.state.z);
  found.state.z = space.base();
  return found;
}

void move_nearest(ReducedSpace& space, StepMap<Quad>& flow, const Quad& h,
                  const ReducedState& guess, Found& at, const std::atomic<bool>* stop) {
  Quad last = HUGE_VAL;
  for (int round = 0; round < 40 && (stop == nullptr || !*stop); ++round) {
    space.base_at(at.state.z);
    Map map(space, flow, h);
    const auto A = map.derivative(at.state.turning, Differences::two);
    const auto by = map.by_turning(at.state.turning);
    if (!A || !by) return;
    const auto parts =
        singular_values(residual_derivative(*A, *by, h).values, A->rows, A->rows + by->columns);
    // The guess, seen along the null directions.
    const State wanted = space.coordinates(guess.z);
    State step(index(A->rows + by->columns));
    for (std::size_t j = index(rank_of(parts, h)); j < parts.v.size(); ++j) {
      Quad part = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) part += parts.v[j][i] * wanted[i];
      for (std::size_t i = 0; i < step.size(); ++i) step[i] += part * parts.v[j][i];
    }
    const Quad size = norm(step);
    if (!(size < last) || size <= Quad(1e-16) * (1 + norm(at.state.z))) return;
    last = size;
    ReducedState along{space.at(State(step.begin(), step.begin() + A->rows)), at.state.turning};
    for (std::size_t a = 0; a < along.turning.size(); ++a)
      along.turning[a] += step[index(A->rows) + a];
    Found next = search(space, flow, h, along, {}, false, stop);
    if (!next.reached) return;
    next.iterations += at.iterations;
    at = next;
  }
}

}  // namespace hamel::reduced
