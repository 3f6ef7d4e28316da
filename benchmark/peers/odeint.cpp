// SPDX-License-Identifier: BSD-3-Clause
// Boost.Odeint. method=fehlberg78 | dopri5 | bulirsch_stoer with tolerance=, rk4 with steps=;
// rhs=links (O(n)) | dense.
//
// The state is an array and the loops over links are unrolled for n = 1, 2, 10, as a user would
// write them who wants the best of it. The first step is near what the tolerance allows: from a
// tiny one the controller needs several to grow.
#include <array>
#include <boost/numeric/odeint.hpp>

#include "equations.hpp"

namespace {

using namespace peers;
namespace odeint = boost::numeric::odeint;

template <class State, class Rate, class Stepper>
class OdeintRun final : public Run {
 public:
  OdeintRun(const Case& c, const Request& request, Stepper stepper, double first_step)
      : case_(c), request_(request), rate_(c), stepper_(std::move(stepper)), step_(first_step) {
    if constexpr (requires { y_.resize(1); }) y_.resize(static_cast<std::size_t>(6 * c.n));
  }

  void reset() override {
    start(case_, y_);
    if constexpr (requires { stepper_.reset(); }) stepper_.reset();
  }

  void go(Watch* watch) override {
    const auto rate = [&](const State& y, State& dy, double) { rate_(y.data(), dy.data()); };
    const auto look = [&](const State& y, double t) {
      if (watch == nullptr || t == 0.0 || !watch->due()) return;
      cartesian(case_, y.data(), watch->x(), watch->v());
      watch->look();
    };
    if constexpr (std::is_same_v<Stepper, odeint::runge_kutta4<State>>) {
      for (long i = 1; i <= request_.steps; ++i) {
        stepper_.do_step(rate, y_, 0.0, step_);
        look(y_, 1.0);
      }
      taken_ = request_.steps;
    } else {
      const auto stepper = std::ref(stepper_);  // keeps its memory from run to run
      taken_ = static_cast<long>(
          watch == nullptr
              ? odeint::integrate_adaptive(stepper, rate, y_, 0.0, request_.until, step_)
              : odeint::integrate_adaptive(stepper, rate, y_, 0.0, request_.until, step_, look));
    }
  }

  void observe(double* x, double* v) override { cartesian(case_, y_.data(), x, v); }
  long steps_taken() const override { return taken_; }

 private:
  Case case_;
  Request request_;
  Rate rate_;
  Stepper stepper_;
  double step_;
  State y_;
  long taken_ = 0;
};

template <class State, class Rate>
std::unique_ptr<Run> with_state(const Case& c, const Request& request) {
  const auto run = [&](auto stepper, double first_step) -> std::unique_ptr<Run> {
    return std::make_unique<OdeintRun<State, Rate, decltype(stepper)>>(c, request, stepper,
                                                                       first_step);
  };
  if (request.method == "rk4") return run(odeint::runge_kutta4<State>(), request.step());
  const double tolerance = request.asked_tolerance();
  const auto first = [&](double order) {
    return std::min(0.1 * request.until, 0.5 * std::pow(tolerance, 1.0 / order));
  };
  if (request.method == "fehlberg78")
    return run(odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(tolerance, tolerance),
               first(8.0));
  if (request.method == "dopri5")
    return run(odeint::make_controlled<odeint::runge_kutta_dopri5<State>>(tolerance, tolerance),
               first(5.0));
  if (request.method == "bulirsch_stoer")
    return run(odeint::bulirsch_stoer<State>(tolerance, tolerance), first(8.0));
  request.unknown_method();
}

template <int N>
using Fixed = std::array<double, 6 * N>;

std::unique_ptr<Run> make(const Case& c, const Request& request) {
  if (request.text("rhs", "links") == "dense") return with_state<Numbers, DenseRate>(c, request);
  switch (c.n) {
    case 1: return with_state<Fixed<1>, LinkRate<1>>(c, request);
    case 2: return with_state<Fixed<2>, LinkRate<2>>(c, request);
    case 10: return with_state<Fixed<10>, LinkRate<10>>(c, request);
    default: return with_state<Numbers, LinkRate<>>(c, request);
  }
}

}  // namespace

int main(int argc, char** argv) { return peers::serve(argc, argv, make); }
