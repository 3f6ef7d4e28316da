// SPDX-License-Identifier: BSD-3-Clause

#include "spheres_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "hamel/expressions/domain.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/kernels/chain/chain_observation.hpp"
#include "hamel/models/spheres_initial.hpp"

namespace hamel {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// Σ q_i × p_i, p = ∂L/∂q̇.
Expressions angular_momentum(const SpheresFormulas& f, const Expressions& p) {
  Expressions sum(3);
  for (std::size_t i = 0; i < f.q.size(); i += 3)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t a = i + (c + 1) % 3;
      const std::size_t b = i + (c + 2) % 3;
      sum[c] += f.q[a] * p[b] - f.q[b] * p[a];
    }
  return sum;
}

/// ⟨p, q̇⟩ − L.
Expression energy_of(const SpheresFormulas& f, const Expressions& p) {
  Expression sum = -f.lagrangian;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * f.v[i];
  return sum;
}

RotationSymmetry symmetry_of(const SpheresFormulas& f) {
  RotationSymmetry symmetry;
  if (f.forced() || depends_on(f.lagrangian, {&f.t, 1})) return symmetry;
  // The change of L when everything turns about e_c, at general points.
  const Expressions by_q = gradient(f.lagrangian, f.q);
  const Expressions by_v = gradient(f.lagrangian, f.v);
  Expressions turned(3);
  Expression size = abs(f.lagrangian);
  for (std::size_t i = 0; i < f.q.size(); i += 3)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t a = i + (c + 1) % 3;
      const std::size_t b = i + (c + 2) % 3;
      turned[c] += f.q[a] * by_q[b] - f.q[b] * by_q[a] + f.v[a] * by_v[b] - f.v[b] * by_v[a];
    }
  turned.push_back(size);
  Expressions inputs = f.q;
  inputs.insert(inputs.end(), f.v.begin(), f.v.end());
  inputs.push_back(f.t);
  Evaluator<double> evaluate(Program(inputs, turned));
  std::minstd_rand random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> in(inputs.size());
  double largest[3] = {0.0, 0.0, 0.0};
  for (int sample = 0; sample < 6; ++sample) {
    for (double& x : in) x = uniform(random);
    for (std::size_t i = 0; i < f.q.size(); i += 3) {  // on the spheres, where L is meant
      const double length =
          std::sqrt(in[i] * in[i] + in[i + 1] * in[i + 1] + in[i + 2] * in[i + 2]);
      for (std::size_t c = 0; c < 3; ++c) in[i + c] /= length;
    }
    double out[4];
    evaluate(in.data(), out);
    for (int c = 0; c < 3; ++c)
      largest[c] =
          std::fmax(largest[c], std::isfinite(out[c]) ? std::fabs(out[c]) / (1.0 + out[3]) : 1.0);
  }
  for (int c = 0; c < 3; ++c) symmetry.about[c] = largest[c] <= 1e-11;
  return symmetry;
}

// Links and their velocities as lists for ChainLinks, computed where they are read: long chains
// should not be copied to be looked at.

using hamel::vec_at;

/// l_i x_i.
struct Scaled {
  const Chain& chain;
  const double* x;
};
HAMEL_KERNEL Vec<double, 3> vec_at(const Scaled& list, int i) {
  return list.chain.lengths[index(i)] * vec_at(list.x, i);
}

/// l_i ω_i×q_i.
struct Turning {
  const Chain& chain;
  const double* omega;
  const double* q;
};
HAMEL_KERNEL Vec<double, 3> vec_at(const Turning& list, int i) {
  return list.chain.lengths[index(i)] * cross(vec_at(list.omega, i), vec_at(list.q, i));
}

}  // namespace

int first_indefinite(double* m, int size) {
  const auto n = index(size);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) m[j * n + j] -= m[j * n + k] * m[j * n + k];
    if (!(m[j * n + j] > 0.0)) return static_cast<int>(j);
    m[j * n + j] = std::sqrt(m[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) m[i * n + j] -= m[i * n + k] * m[j * n + k];
      m[i * n + j] /= m[j * n + j];
    }
  }
  return -1;
}

RotationSymmetry rotation_symmetry(const SpheresModel& model) {
  RotationSymmetry symmetry;
  if (model.pendulum) {
    for (int c = 0; c < 3; ++c) symmetry.about[c] = c == 2 || *model.pendulum == Quad(0);
    return symmetry;
  }
  if (!model.chain) return symmetry_of(*model.formulas());
  const Chain& chain = *model.chain;
  if (chain.forced()) return symmetry;
  const bool clamped = chain.clamp != 0.0;
  symmetry.about[2] = !clamped || (chain.axis[0] == 0.0 && chain.axis[1] == 0.0);
  if (chain.gravity == 0.0)
    for (int c = 0; c < 3; ++c)
      symmetry.about[c] =
          !clamped || (chain.axis[(c + 1) % 3] == 0.0 && chain.axis[(c + 2) % 3] == 0.0);
  return symmetry;
}

std::optional<PendulumObservation> pendulum_observation(const SpheresModel& model) {
  if (!model.pendulum || model.chain) return std::nullopt;
  const auto formulas = model.formulas();
  const SpheresFormulas& f = *formulas;
  if (depends_on(f.potential, {&f.t, 1})) return std::nullopt;
  const Quad m = f.inertia.front().front().value();
  const double at_centre[3] = {0.0, 0.0, 0.0};
  PendulumObservation observation{static_cast<double>(m), static_cast<double>(m * *model.pendulum),
                                  0.0};
  Evaluator<double>(Program(f.q, {&f.potential, 1}))(at_centre, &observation.base);
  const double all =
      observation.m + observation.weight + observation.base + static_cast<double>(*model.pendulum);
  return std::isfinite(all) ? std::optional(observation) : std::nullopt;
}

SpheresView::SpheresView(const SpheresModel& model, const RotationSymmetry& symmetry,
                         const std::optional<PendulumObservation>& pendulum)
    : n_(model.n), forced_(model.forced()), symmetry_(symmetry), pendulum_(pendulum) {
  if (model.chain) {
    chain_ = std::make_unique<ChainLinks<double>>(model.chain);
    tension_.resize(index(n_));
    if (model.chain->elastic() || forced_) acceleration_.resize(index(3 * n_));
    const Chain& chain = *model.chain;
    moving_base_ = !chain.drive_formulas.base.empty();
    double length = 0.0;
    for (const double l : chain.lengths) length += l;
    stiffest_ = n_ * std::sqrt(chain.gravity / length);
    // The highest mode of a bending chain, its masses moving in turns.
    for (std::size_t i = 0; i < chain.bending.size(); ++i)
      stiffest_ = std::fmax(stiffest_, 4.0 * std::sqrt(chain.bending[i] / chain.masses[i]) /
                                           std::fmin(chain.lengths[i], chain.lengths[i + 1]));
    return;
  }
  const auto formulas = model.formulas();
  const SpheresFormulas& f = *formulas;
  names_ = f.names;
  timed_ = depends_on(f.lagrangian, {&f.t, 1});
  if (pendulum_) return;
  if (f.quadratic() && !f.constant_inertia()) {
    Expressions entries;
    for (const auto& row : f.inertia) entries.insert(entries.end(), row.begin(), row.end());
    inertia_ = Evaluator<double>(Program(f.q, entries));
    matrix_.resize(entries.size());
  }
  const Expressions p = gradient(f.lagrangian, f.v);
  Expressions outputs = {energy_of(f, p)};
  const Expressions J = angular_momentum(f, p);
  outputs.insert(outputs.end(), J.begin(), J.end());
  Expressions inputs = f.q;
  inputs.insert(inputs.end(), f.v.begin(), f.v.end());
  inputs.push_back(f.t);
  evaluate_ = Evaluator<double>(Program(inputs, outputs));
  undefined_ = hamel::may_be_undefined(outputs);
  inputs_.resize(inputs.size());
}

std::vector<OutputField> SpheresView::fields() const {
  return {{"q", 3 * n_, "1", "unit vectors", true},
          {"omega", 3 * n_, "rad/s", "angular velocities in space", true}};
}

std::vector<OutputField> SpheresView::further_fields() const {
  if (!chain_) return {};
  std::vector<OutputField> list = {
      {"tension", n_, "N", "tension of every link; negative: compression"}};
  if (moving_base_) list.push_back({"base", 3, "m", "position of the base"});
  return list;
}

std::vector<InvariantInfo> SpheresView::invariants() const {
  std::vector<InvariantInfo> list = energy_invariants(forced_, timed_);
  list.push_back({"length", "1", "largest distance from the unit sphere, max ||q_i| - 1|"});
  list.push_back({"tangency", "1/s", "largest q_i·q_i': motion off the sphere"});
  static constexpr InvariantInfo momenta[] = {
      {"momentum_x", "kg m^2/s", "angular momentum about e1"},
      {"momentum_y", "kg m^2/s", "angular momentum about e2"},
      {"momentum_z", "kg m^2/s", "angular momentum about e3"}};
  for (int c = 0; c < 3; ++c)
    if (symmetry_.about[c]) list.push_back(momenta[c]);
  return list;
}

bool SpheresView::observe(Stepper<double>& stepper, const StepperState<double>& state,
                          const Moment& moment, double* seen, double* to) noexcept {
  h_ = moment.h;
  time_ = moment.time;
  tensions_ = Tensions::unknown;
  double* q = seen;
  double* v = seen + 3 * n_;  // becomes ω
  hamel_lanes::ChainObservation observation{.q = q, .omega = v, .tension = tension_.data()};
  if (chain_ && stepper.observe_chain(state, observation)) {
    tensions_ = observation.tensions_exist ? Tensions::known : Tensions::none;
    fastest_ = std::sqrt(observation.fastest);
    *to++ = observation.energy;
    *to++ = std::max(-root_defect(observation.shortest), root_defect(observation.longest));
    *to++ = observation.tangency;
    for (int c = 0; c < 3; ++c)
      if (symmetry_.about[c]) *to++ = observation.momentum[c];
    return true;
  }
  if (!stepper.observe(state, moment.t, moment.h, q, v)) return false;
  double energy = 0.0;
  Vec<double, 3> J{};
  if (chain_) {
    const Scaled d{chain_->chain(), q};
    const Scaled u{chain_->chain(), v};
    const auto measured = chain_->measure(d, u);
    energy = measured.energy;
    J = measured.momentum;
  } else if (pendulum_) {
    const Vec<double, 3> velocity = vec_at(v, 0);
    energy = 0.5 * pendulum_->m * norm2(velocity) + pendulum_->weight * q[2] + pendulum_->base;
    J = pendulum_->m * cross(vec_at(q, 0), velocity);
  } else {
    std::copy(seen, seen + 6 * n_, inputs_.begin());
    inputs_.back() = moment.time;
    double out[4];
    evaluate_(inputs_.data(), out);
    energy = out[0];
    J = {{out[1], out[2], out[3]}};
  }
  *to++ = energy;
  if (forced_) *to++ = energy - state.z.back();
  double shortest = 1.0;  // |q_i|²; the defect of a length grows and falls with it
  double longest = 1.0;
  double tangency = 0.0;
  double fastest = 0.0;
  for (int i = 0; i < n_; ++i) {
    const Vec<double, 3> qi = vec_at(q, i);
    const Vec<double, 3> vi = vec_at(v, i);
    const double length2 = norm2(qi);
    const double slip = std::fabs(dot(qi, vi));
    put(v, i, (1.0 / length2) * cross(qi, vi));
    fastest = std::max(fastest, norm2(vi));
    if (!(length2 >= shortest)) shortest = length2;
    if (!(length2 <= longest)) longest = length2;
    if (!(slip <= tangency)) tangency = slip;
  }
  *to++ = std::max(-root_defect(shortest), root_defect(longest));
  *to++ = tangency;
  for (int c = 0; c < 3; ++c)
    if (symmetry_.about[c]) *to++ = J[c];
  fastest_ = std::sqrt(fastest);
  return true;
}

bool SpheresView::find_tensions(const double* q, const double* omega, double time) noexcept {
  if (tensions_ != Tensions::unknown) return tensions_ == Tensions::known;
  tensions_ = Tensions::none;
  const Scaled d{chain_->chain(), q};
  const Turning u{chain_->chain(), omega, q};
  double power = 0.0;
  double* a = acceleration_.empty() ? nullptr : acceleration_.data();
  if (a != nullptr) chain_->acceleration(d, u, time, a, power);
  if (!chain_->tensions(d, u, a, tension_.data())) return false;
  for (int i = 0; i < n_; ++i) tension_[index(i)] *= chain_->l(i);  // [MATH 7.2]
  tensions_ = Tensions::known;
  return true;
}

void SpheresView::observe_further(const double* seen, double time, double* to) noexcept {
  if (!chain_) return;
  if (!find_tensions(seen, seen + 3 * n_, time)) std::ranges::fill(tension_, 0.0);
  to = std::ranges::copy(tension_, to).out;
  if (!moving_base_) return;
  const Vec<double, 3> base = chain_->drive(time).base;
  for (int c = 0; c < 3; ++c) *to++ = base[c];
}

int SpheresView::indefinite(const double* q) noexcept {
  inertia_(q, matrix_.data());
  return first_indefinite(matrix_.data(), n_);
}

bool SpheresView::watch(const double* seen, double time) noexcept {
  if (!matrix_.empty()) return (lost_ = indefinite(seen)) < 0;
  // Links that bend are pushed as well as pulled.
  if (!chain_ || chain_->chain().elastic() || !find_tensions(seen, seen + 3 * n_, time))
    return true;
  const auto least = std::ranges::min_element(tension_);
  if (*least < 0.0 && slack_.first_time < 0.0) {
    slack_.first_time = time;
    slack_.first_link = static_cast<double>(least - tension_.begin());
  }
  if (*least < slack_.least) {
    slack_.least = *least;
    slack_.least_link = static_cast<double>(least - tension_.begin());
    slack_.least_time = time;
  }
  return true;
}

std::string SpheresView::failure(Status status, const Stepper<double>& stepper,
                                 const StepperState<double>&) const {
  if (status == Status::singular && lost_ >= 0)
    return "the inertia is no longer positive definite, from sphere " + names_[index(lost_)] +
           " on";
  if (const std::string which = infinite_drive(); !which.empty()) return which;
  std::string text =
      status == Status::not_finite ? meaning(status) : "the step's equations could not be solved";
  if (stepper.worst_part() >= 0)
    text += ", the worst at " + std::string(chain_ ? "link " : "sphere ") +
            std::to_string(stepper.worst_part() + 1);
  if (chain_ && status != Status::not_finite)
    text += "; a step of " + number(advised_step()) + " s should work";
  return text;
}

double SpheresView::advised_step() const {
  // Chains in gravity went through with h n √(g/L) up to 0.05 or more, whatever their start (3 to
  // 1000 links); a twentieth of a radian is safe for the others. A state that is about to fail may
  // turn far faster than the motion does.
  const double turning = stiffest_ > 0.0 ? std::fmin(fastest_, 4.0 * stiffest_) : fastest_;
  const double rate = std::fmax(stiffest_, turning);
  return std::fmin(rate > 0.0 ? 0.05 / rate : h_, 0.25 * h_);
}

std::string SpheresView::infinite_drive() const {
  if (!chain_ || !chain_->chain().drive) return "";
  for (const double t : {time_, time_ + h_}) {
    const ChainDrive now = chain_->drive(t);
    const auto finite = [](const Vec<double, 3>& x) { return std::isfinite(x[0] + x[1] + x[2]); };
    const char* which = !finite(now.base_torque) ? "base_torque"
                        : !finite(now.tip_force) ? "tip_force"
                        : !finite(now.base_acceleration) || !finite(now.base_velocity)
                            ? "base (its velocity or acceleration)"
                            : nullptr;
    if (which != nullptr)
      return "system." + std::string(which) + " is not finite at t = " + number(t) + " s";
  }
  return "";
}

std::vector<std::string> SpheresView::remarks() const {
  if (!(slack_.first_time >= 0.0)) return {};
  return {"link " + number(slack_.first_link + 1.0) + " was first seen pushed at t = " +
          number(slack_.first_time) + " s; most, " + number(-slack_.least) + " N, link " +
          number(slack_.least_link + 1.0) + " at t = " + number(slack_.least_time) +
          " s. Links are rigid here; a cable would have gone slack"};
}

std::vector<double> SpheresView::memory() const {
  return {slack_.first_time, slack_.first_link, slack_.least, slack_.least_link, slack_.least_time};
}

void SpheresView::remember(const double* values) {
  slack_ = {values[0], values[1], values[2], values[3], values[4]};
}

}  // namespace hamel
