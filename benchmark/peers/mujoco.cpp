// SPDX-License-Identifier: BSD-3-Clause
// MuJoCo. method=euler | rk4 with steps=; joint=hinges (two) | ball.
//
// Every link is a body whose point mass hangs at (0, 0, −l) of its frame. MuJoCo wants rotational
// inertia on each: 2e-15 with hinges, where it refuses less than 1e-15; with ball joints the spin
// about the link needs more, and 1e-9 changes the motion by less than the method's own error.
#include <mujoco/mujoco.h>

#include <cstring>

#include "peer.hpp"

namespace {

using namespace peers;

/// Deeper nesting than a hundred elements is refused by the parser that Debian builds it with, so
/// the model is split into files that include one another.
constexpr int links_per_file = 60;

std::string file_name(std::size_t i) { return "part" + std::to_string(i) + ".xml"; }

std::vector<std::string> model_files(const Case& c, const Request& request, bool ball) {
  const long freedoms = (ball ? 3L : 2L) * c.n;
  const char* inertia = ball ? "1e-9" : "2e-15";
  std::vector<std::string> files;
  for (int first = 0; first < c.n; first += links_per_file) {
    const int end = std::min(c.n, first + links_per_file);
    std::ostringstream xml;
    xml.precision(17);
    if (first == 0)
      xml << "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/><size nstack='"
          << 200000 + 100 * freedoms + (request.method == "rk4" ? 2 : 1) * freedoms * freedoms
          << "'/><option timestep='" << request.step() << "' gravity='0 0 " << -c.gravity
          << "' integrator='" << (request.method == "rk4" ? "RK4" : "Euler")
          << "'><flag constraint='disable' contact='disable' limit='disable' equality='disable' "
             "frictionloss='disable' passive='disable' actuation='disable' warmstart='disable' "
             "sensor='disable'/></option><worldbody>\n";
    else
      xml << "<mujocoinclude>";
    for (int i = first; i < end; ++i) {
      xml << "<body pos='0 0 " << (i > 0 ? -c.length : 0.0) << "'>";
      xml << (ball ? "<joint type='ball'/>"
                   : "<joint type='hinge' axis='1 0 0'/><joint type='hinge' axis='0 1 0'/>");
      xml << "<inertial pos='0 0 " << -c.length << "' mass='" << c.mass << "' diaginertia='"
          << inertia << ' ' << inertia << ' ' << inertia << "'/>\n";
    }
    if (end < c.n) xml << "<include file='" << file_name(files.size() + 1) << "'/>";
    for (int i = first; i < end; ++i) xml << "</body>";
    xml << (first == 0 ? "</worldbody></mujoco>\n" : "</mujocoinclude>\n");
    files.push_back(xml.str());
  }
  return files;
}

std::string trouble;  // MuJoCo reports through plain functions; after a bad step it starts afresh

class MujocoRun final : public Run {
 public:
  MujocoRun(const Case& c, const Request& request)
      : case_(c), steps_(request.steps), ball_(request.text("joint", "hinges") == "ball") {
    if (request.method != "euler" && request.method != "rk4") request.unknown_method();
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    const auto parts = model_files(c, request, ball_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      mj_makeEmptyFileVFS(files.get(), file_name(i).c_str(), static_cast<int>(parts[i].size()));
      std::memcpy(files->filedata[i], parts[i].data(), parts[i].size());
    }
    char message[1000] = "";
    model_ = mj_loadXML(file_name(0).c_str(), files.get(), message, sizeof message);
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(message);
    data_ = mj_makeData(model_);
  }
  ~MujocoRun() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void reset() override {
    trouble.clear();
    mj_resetData(model_, data_);
    const TwoAngles at(case_);
    if (ball_) {  // R = R_x(a) R_y(b), body rates Rᵀω
      const double about_x[4] = {std::cos(0.5 * at.a), std::sin(0.5 * at.a), 0.0, 0.0};
      const double about_y[4] = {std::cos(0.5 * at.b), 0.0, std::sin(0.5 * at.b), 0.0};
      double inverse[4];
      mju_mulQuat(data_->qpos, about_x, about_y);
      mju_negQuat(inverse, data_->qpos);
      mju_rotVecQuat(data_->qvel, case_.omega, inverse);
    } else {
      data_->qpos[0] = at.a;
      data_->qpos[1] = at.b;
      data_->qvel[0] = at.a_rate;
      data_->qvel[1] = at.b_rate;
    }
    mj_forward(model_, data_);
  }

  void go(Watch* watch) override {
    for (long i = 0; i < steps_; ++i) {
      mj_step(model_, data_);
      if (watch != nullptr && watch->due()) {
        observe(watch->x(), watch->v());
        watch->look();
      }
    }
    if (!trouble.empty()) throw std::runtime_error(trouble);
  }

  void observe(double* x, double* v) override {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    for (int i = 0; i < case_.n; ++i) {
      double rates[6];  // angular, linear
      mj_objectVelocity(model_, data_, mjOBJ_BODY, i + 1, rates, 0);
      std::copy(rates + 3, rates + 6, v + 3 * i);
      std::copy(data_->xipos + 3 * (i + 1), data_->xipos + 3 * (i + 2), x + 3 * i);
    }
  }
  long steps_taken() const override { return steps_; }

 private:
  Case case_;
  long steps_;
  bool ball_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

std::unique_ptr<Run> make(const Case& c, const Request& request) {
  return std::make_unique<MujocoRun>(c, request);
}

}  // namespace

int main(int argc, char** argv) {
  mju_user_warning = [](const char* text) { trouble = text; };
  mju_user_error = [](const char* text) { throw std::runtime_error(text); };
  return peers::serve(argc, argv, make);
}
