// SPDX-License-Identifier: BSD-3-Clause
// What the methods on frame systems share.
//
//   struct FrameName {
//     static constexpr MethodInfo info{…};
//     static FrameName from_options(MethodOptions&);
//     std::string misfit(const FrameModel&) const;            // why it does not fit, or ""
//     FrameClaims claims(const FrameModel&) const;
//     template <class S> std::unique_ptr<Stepper<S>> stepper(const FrameModel&,
//                                                                 const StepperOptions&) const;
//   };
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hamel/stepping/method.hpp"
#include "hamel/stepping/step_equations.hpp"

namespace hamel {

/// What a method promises for a model; which invariants are quadratic is found elsewhere.
struct FrameClaims {
  int order = 1;
  bool time_symmetry = false;
  bool symplectic = false;
  bool quadratic = false;               ///< quadratic invariants of its state are exact
  std::vector<std::string> invariants;  ///< others that are exact
  std::string note;
  bool adaptive = false;
  bool constraint = false;
};

/// The Euler–Lagrange equations in coordinates: momentum L_v, force L_q + f, power ⟨f, v⟩, as
/// expressions of (q, v, t).
struct CoordinateEquations {
  Expressions momentum, force;
  Expression power;

  CoordinateEquations at(const FrameModel& model, std::span<const Expression> q,
                         std::span<const Expression> v, const Expression& t) const {
    Expressions from = model.q;
    from.insert(from.end(), model.v.begin(), model.v.end());
    from.push_back(model.t);
    Expressions to(q.begin(), q.end());
    to.insert(to.end(), v.begin(), v.end());
    to.push_back(t);
    return {substituted(momentum, from, to), substituted(force, from, to),
            substituted(power, from, to)};
  }
};

/// The same system in its coordinate frame, for the Euler–Lagrange equations.
inline FrameModel in_coordinates(const FrameModel& model) {
  const int N = model.coordinates_count();
  FrameModel plain = model;
  plain.lagrangian = coordinate_lagrangian(model);
  plain.quasi = false;
  plain.in_velocities.reset();
  plain.brackets_given = false;
  plain.brackets.clear();
  plain.complement.clear();
  plain.frame.assign(model.q.size(), Expressions(model.q.size()));
  for (int b = 0; b < N; ++b)
    plain.frame[static_cast<std::size_t>(b)][static_cast<std::size_t>(b)] = 1.0;
  return plain;
}

/// A stepper of the coordinate frame, started from and seen in the quasi-velocities of the frame as
/// given.
template <class S>
class CoordinateStepper final : public Stepper<S> {
 public:
  /// base: made for in_coordinates(model).
  CoordinateStepper(const FrameModel& model, std::unique_ptr<Stepper<S>> base)
      : base_(std::move(base)), n_(model.q.size()), psi_(n_ * n_), v_(n_), pivot_(n_) {
    Expressions flat;  // ψ: column j is u_j
    for (std::size_t b = 0; b < n_; ++b)
      for (const auto& row : model.frame) flat.push_back(row[b]);
    frame_ = Evaluator<S>(Program(model.q, flat));
  }

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S& h,
             StepperState<S>& state) override {
    frame_(q.data(), psi_.data());
    for (std::size_t b = 0; b < n_; ++b) {
      v_[b] = S(0.0);
      for (std::size_t j = 0; j < n_; ++j) v_[b] = v_[b] + psi_[b * n_ + j] * xi[j];
    }
    return base_->start(q, v_, h, state);
  }
  void hold(std::span<const S> held) noexcept override { base_->hold(held); }
  bool bind(std::span<const double> parameters) override {
    frame_.bind(parameters);
    return base_->bind(parameters);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    return base_->step(state, t, h);
  }
  bool observe(const StepperState<S>& state, const S& t, const S& h, S* q,
               S* xi) noexcept override {
    if (!base_->observe(state, t, h, q, xi)) return false;
    frame_(q, psi_.data());
    const int n = static_cast<int>(n_);
    if (!lu_factor(psi_.data(), n, pivot_.data())) return false;
    lu_solve(psi_.data(), n, pivot_.data(), xi);
    return true;
  }

 private:
  std::unique_ptr<Stepper<S>> base_;
  std::size_t n_;
  Evaluator<S> frame_;
  std::vector<S> psi_, v_;
  std::vector<int> pivot_;
};

/// Which equations an explicit or Gauss method integrates.
struct ContinuousEquations {
  bool lagrangian = false;  ///< Euler–Lagrange in (q, L_v), else in (q, p)
  bool implicit = false;    ///< the implicit Hamel equations, else Hamel's

  static constexpr OptionInfo option{
      "equations", "hamel, implicit-hamel, euler-lagrange", "hamel",
      "Hamel's or the implicit ones in the frame, or Euler-Lagrange in coordinates"};
  static ContinuousEquations from_options(MethodOptions& given) {
    const int chosen = given.word("equations", {"hamel", "implicit-hamel", "euler-lagrange"});
    return {chosen == 2, chosen == 1};
  }
  std::string misfit(const FrameModel& model) const {
    return (lagrangian || implicit) && !model.unconstrained()
               ? "these equations need independent coordinates without constraints"
               : "";
  }
  /// make(model, equations): the stepper for these equations on a model.
  template <class S, class Make>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model, Make&& make) const {
    if (implicit) return make(model, implicit_hamel_equations(model));
    if (!lagrangian) return make(model, frame_equations(model));
    const FrameModel plain = in_coordinates(model);
    return std::make_unique<CoordinateStepper<S>>(model, make(plain, frame_equations(plain)));
  }
  /// The momenta of the state, in the variables of the model.
  Expressions momentum(const FrameModel& model) const {
    const FrameEquations e = frame_equations(model);
    if (!lagrangian) return e.momentum;
    return substituted(gradient(coordinate_lagrangian(model), model.v), model.v, e.velocity);
  }
};

inline CoordinateEquations coordinate_equations(const FrameModel& model) {
  const Expression L = coordinate_lagrangian(model);
  CoordinateEquations e{gradient(L, model.v), gradient(L, model.q), {}};
  if (model.forced())
    for (std::size_t b = 0; b < model.q.size(); ++b) {
      e.force[b] += model.force[b];
      e.power += model.force[b] * model.v[b];
    }
  for (Expressions* list : {&e.momentum, &e.force}) *list = model.closed(*list, model.v);
  e.power = model.closed({&e.power, 1}, model.v).front();
  return e;
}

}  // namespace hamel
