// SPDX-License-Identifier: BSD-3-Clause
// Simbody. method=merson | verlet; with tolerance= its error control, with steps= fixed steps;
// joint=universal (two angles) | ball.
//
// Universal joints take exact point masses. Ball joints need some rotational inertia, here 1e-9,
// and the error control then follows the spin about the link instead of the motion.
#include <Simbody.h>

#include "peer.hpp"

namespace {

using namespace peers;

class SimbodyRun final : public Run {
 public:
  SimbodyRun(const Case& c, const Request& request)
      : case_(c), request_(request), matter_(system_), forces_(system_) {
    const bool ball = request.text("joint", "universal") == "ball";
    forces_.setNumberOfThreads(1);
    SimTK::Force::UniformGravity(forces_, matter_, SimTK::Vec3(0, 0, -c.gravity));
    const SimTK::Vec3 bob(0, 0, -c.length);
    SimTK::Inertia inertia(bob, c.mass);
    if (ball) inertia += SimTK::Inertia(1e-9);
    const SimTK::Body::Rigid body(SimTK::MassProperties(c.mass, bob, inertia));
    SimTK::MobilizedBody parent = matter_.Ground();
    for (int i = 0; i < c.n; ++i) {
      const SimTK::Transform joint(SimTK::Vec3(0, 0, i > 0 ? -c.length : 0.0));
      if (ball)
        parent = SimTK::MobilizedBody::Ball(parent, joint, body, SimTK::Transform());
      else
        parent = SimTK::MobilizedBody::Universal(parent, joint, body, SimTK::Transform());
      links_.push_back(parent);
    }
    start_ = system_.realizeTopology();
    system_.realizeModel(start_);
    const TwoAngles at(c);
    if (ball) {
      links_[0].setQToFitRotation(start_, SimTK::Rotation(SimTK::BodyRotationSequence, at.a,
                                                          SimTK::XAxis, at.b, SimTK::YAxis));
      links_[0].setUToFitAngularVelocity(start_, SimTK::Vec3(c.omega[0], c.omega[1], c.omega[2]));
    } else {
      links_[0].setOneQ(start_, 0, at.a);
      links_[0].setOneQ(start_, 1, at.b);
      links_[0].setOneU(start_, 0, at.a_rate);
      links_[0].setOneU(start_, 1, at.b_rate);
    }
    system_.realize(start_, SimTK::Stage::Velocity);
  }

  void reset() override {
    if (request_.method == "merson")
      integrator_ = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
    else if (request_.method == "verlet")
      integrator_ = std::make_unique<SimTK::VerletIntegrator>(system_);
    else
      request_.unknown_method();
    if (request_.tolerance > 0.0)
      integrator_->setAccuracy(request_.tolerance);
    else
      integrator_->setFixedStepSize(request_.step());
    integrator_->setInternalStepLimit(2'000'000'000);
    integrator_->setFinalTime(request_.until);
    integrator_->initialize(start_);
  }

  void go(Watch* watch) override {
    integrator_->setReturnEveryInternalStep(watch != nullptr);
    // stepTo returns once at the very start, before any step.
    while (integrator_->getTime() < request_.until &&
           integrator_->stepTo(request_.until) != SimTK::Integrator::EndOfSimulation)
      if (watch != nullptr && watch->due()) {
        observe(watch->x(), watch->v());
        watch->look();
      }
  }

  void observe(double* x, double* v) override {
    const SimTK::State& state = integrator_->getAdvancedState();
    system_.realize(state, SimTK::Stage::Velocity);
    const SimTK::Vec3 bob(0, 0, -case_.length);
    for (int i = 0; i < case_.n; ++i) {
      const auto& link = links_[static_cast<std::size_t>(i)];
      const SimTK::Vec3 at = link.findStationLocationInGround(state, bob);
      const SimTK::Vec3 rate = link.findStationVelocityInGround(state, bob);
      for (int k = 0; k < 3; ++k) {
        x[3 * i + k] = at[k];
        v[3 * i + k] = rate[k];
      }
    }
  }
  long steps_taken() const override { return integrator_->getNumStepsTaken(); }

 private:
  Case case_;
  Request request_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<SimTK::MobilizedBody> links_;
  SimTK::State start_;
  std::unique_ptr<SimTK::Integrator> integrator_;
};

std::unique_ptr<Run> make(const Case& c, const Request& request) {
  return std::make_unique<SimbodyRun>(c, request);
}

}  // namespace

int main(int argc, char** argv) { return peers::serve(argc, argv, make); }
