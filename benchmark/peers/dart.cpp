// SPDX-License-Identifier: BSD-3-Clause
// DART. method=euler with steps=: semi-implicit Euler, the only stepping that its World has in
// 6.12; joint=universal (two angles, exact point masses) | ball (rotational inertia 1e-9).
//
// Not to be compiled for wider registers than Debian's library: fixed-size Eigen types cross its
// border, and their alignment would differ.
#include <dart/dart.hpp>

#include "peer.hpp"

namespace {

using namespace peers;
using Eigen::Vector3d;
namespace dynamics = dart::dynamics;

class DartRun final : public Run {
 public:
  DartRun(const Case& c, const Request& request)
      : case_(c),
        steps_(request.steps),
        ball_(request.text("joint", "universal") == "ball"),
        chain_(dynamics::Skeleton::create("chain")),
        world_(dart::simulation::World::create()) {
    if (request.method != "euler") request.unknown_method();
    dynamics::BodyNode* parent = nullptr;
    for (int i = 0; i < c.n; ++i) {
      dynamics::BodyNode::Properties body;
      body.mName = "link" + std::to_string(i);
      body.mInertia = dynamics::Inertia(c.mass, Vector3d(0, 0, -c.length),
                                        (ball_ ? 1e-9 : 0.0) * Eigen::Matrix3d::Identity());
      parent = ball_ ? add<dynamics::BallJoint>(parent, body)
                     : add<dynamics::UniversalJoint>(parent, body);
    }
    world_->setGravity(Vector3d(0, 0, -c.gravity));
    world_->setTimeStep(request.step());
    world_->addSkeleton(chain_);
  }

  void reset() override {
    chain_->resetPositions();
    chain_->resetVelocities();
    chain_->resetAccelerations();
    const TwoAngles at(case_);
    dynamics::Joint* joint = chain_->getJoint(0);
    if (ball_) {
      const Eigen::Matrix3d R =
          (Eigen::AngleAxisd(at.a, Vector3d::UnitX()) * Eigen::AngleAxisd(at.b, Vector3d::UnitY()))
              .toRotationMatrix();
      const Vector3d omega(case_.omega[0], case_.omega[1], case_.omega[2]);
      joint->setPositions(dynamics::BallJoint::convertToPositions(R));
      joint->setVelocities(R.transpose() * omega);
    } else {
      joint->setPositions(Eigen::Vector2d(at.a, at.b));
      joint->setVelocities(Eigen::Vector2d(at.a_rate, at.b_rate));
    }
    world_->setTime(0.0);
    chain_->computeForwardDynamics();
  }

  void go(Watch* watch) override {
    for (long i = 0; i < steps_; ++i) {
      world_->step();
      if (watch != nullptr && watch->due()) {
        observe(watch->x(), watch->v());
        watch->look();
      }
    }
  }

  void observe(double* x, double* v) override {
    for (int i = 0; i < case_.n; ++i) {
      const auto* link = chain_->getBodyNode(static_cast<std::size_t>(i));
      Eigen::Map<Vector3d>(x + 3 * i) = link->getCOM();
      Eigen::Map<Vector3d>(v + 3 * i) = link->getCOMLinearVelocity();
    }
  }
  long steps_taken() const override { return steps_; }

 private:
  template <class Joint>
  dynamics::BodyNode* add(dynamics::BodyNode* parent, const dynamics::BodyNode::Properties& body) {
    typename Joint::Properties joint;
    joint.mName = "joint of " + body.mName;
    if (parent != nullptr) joint.mT_ParentBodyToJoint = Eigen::Translation3d(0, 0, -case_.length);
    if constexpr (requires { joint.mAxis[0]; }) {
      joint.mAxis[0] = Vector3d::UnitX();
      joint.mAxis[1] = Vector3d::UnitY();
    }
    return chain_->createJointAndBodyNodePair<Joint>(parent, joint, body).second;
  }

  Case case_;
  long steps_;
  bool ball_;
  dynamics::SkeletonPtr chain_;
  dart::simulation::WorldPtr world_;
};

std::unique_ptr<Run> make(const Case& c, const Request& request) {
  return std::make_unique<DartRun>(c, request);
}

}  // namespace

int main(int argc, char** argv) { return peers::serve(argc, argv, make); }
