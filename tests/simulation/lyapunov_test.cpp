// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/lyapunov.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel {
namespace {

LyapunovResult exponent_of(const std::string& text, const std::string& method, double step,
                           std::int64_t steps) {
  static const Registry registry = builtin_registry();
  const auto scenario = io::parse_scenario(text, "test", {}, registry);
  return largest_lyapunov_exponent(*scenario.problem, MethodSpec::parse(method), {step, false, {}},
                                   {steps, nullptr, {}});
}

// Upright at rest a pendulum falls like exp(√(g/l) t).
TEST(Lyapunov, TheUprightPendulumHasTheRateOfItsFall) {
  const char* upright = R"([system]
name = "spherical_pendulum"
length = 2.0
gravity = 9.8
[initial]
q = [0.0, 0.0, 1.0]
omega = [0.0, 0.0, 0.0]
)";
  const auto found = exponent_of(upright, "gauss", 0.1, 2000);
  ASSERT_EQ(found.status, Status::ok);
  // eps^(2/3) = 4e-11 in each factor, divided by h = 0.1
  EXPECT_NEAR(found.exponent, std::sqrt(9.8 / 2.0), 1e-9);
  EXPECT_LE(found.standard_error, 1e-9);
  // A step of order 2 has its own rate, off by O(h²): midpoint, (1 + x/2)/(1 - x/2), x = h√(g/l).
  const double x = 0.05 * std::sqrt(9.8 / 2.0);
  const auto middle = exponent_of(upright, "gauss(stages=1)", 0.05, 4000);
  EXPECT_NEAR(middle.exponent, std::log((1 + x / 2) / (1 - x / 2)) / 0.05, 2e-9);
}

TEST(Lyapunov, OfRegularMotionsItFallsLikeLogTOverT) {
  for (const auto& [system, method, step] :
       {std::tuple{"spherical_pendulum", "hamel", 0.1}, {"euler_top", "hamel", 0.05}}) {
    const std::string text = "[system]\nname = \"" + std::string(system) + "\"\n";
    double last = INFINITY;
    for (const double T : {500.0, 4000.0}) {
      const auto found = exponent_of(text, method, step, std::llround(T / step));
      ASSERT_EQ(found.status, Status::ok) << system;
      EXPECT_LE(std::fabs(found.exponent), std::log(T) / T) << system;
      EXPECT_LT(std::fabs(found.exponent), 0.5 * last) << system;
      last = std::fabs(found.exponent);
    }
  }
}

/// The star of Hénon and Heiles and its linearised motion, by Taylor series: nothing in common with
/// the library. The mean growth rate after a start-up time, and its standard error.
std::array<double, 2> rate_of_the_star(std::array<double, 4> at, double until) {
  constexpr int order = 16;
  constexpr double h = 0.1;
  constexpr int blocks = 20;
  std::array<double, 4> tangent{0.3, 0.5, -0.7, 0.2};
  const auto in_block = static_cast<int>(until / h / blocks);
  std::vector<double> rates;
  double grown = 0.0;
  for (int n = 1; n <= blocks * in_block; ++n) {
    double x[order + 1], y[order + 1], u[order + 1], w[order + 1];
    x[0] = at[0], y[0] = at[1], x[1] = at[2], y[1] = at[3];
    u[0] = tangent[0], w[0] = tangent[1], u[1] = tangent[2], w[1] = tangent[3];
    for (int k = 0; k + 2 <= order; ++k) {
      double fx = -x[k], fy = -y[k], fu = -u[k], fw = -w[k];
      for (int j = 0; j <= k; ++j) {
        fx -= 2 * x[j] * y[k - j];
        fy += y[j] * y[k - j] - x[j] * x[k - j];
        fu -= 2 * (u[j] * y[k - j] + x[j] * w[k - j]);
        fw += 2 * (y[j] * w[k - j] - x[j] * u[k - j]);
      }
      const double divisor = (k + 1.0) * (k + 2.0);
      x[k + 2] = fx / divisor, y[k + 2] = fy / divisor;
      u[k + 2] = fu / divisor, w[k + 2] = fw / divisor;
    }
    const auto sum = [&](const double* c, bool derivative) {
      double value = 0.0;
      for (int k = order; k >= (derivative ? 1 : 0); --k)
        value = value * h + (derivative ? k * c[k] : c[k]);
      return value;
    };
    at = {sum(x, false), sum(y, false), sum(x, true), sum(y, true)};
    tangent = {sum(u, false), sum(w, false), sum(u, true), sum(w, true)};
    double length = 0.0;
    for (const double c : tangent) length += c * c;
    length = std::sqrt(length);
    for (double& c : tangent) c /= length;
    grown += std::log(length);
    if (n % in_block == 0) {
      rates.push_back(grown / (in_block * h));
      grown = 0.0;
    }
  }
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t b = 1; b < rates.size(); ++b) mean += rates[b] / (blocks - 1);
  for (std::size_t b = 1; b < rates.size(); ++b) square += (rates[b] - mean) * (rates[b] - mean);
  return {mean, std::sqrt(square / (blocks - 2) / (blocks - 1))};
}

TEST(Lyapunov, AChaoticStarAgreesWithATaylorSeries) {
  // Energy 1/6 − 0.0005, below the energy of escape.
  const double vx = std::sqrt(2.0 * (1.0 / 6.0 - 0.0005 - 0.5 * 0.01 - 0.001 / 3.0));
  char text[300];
  std::snprintf(text, sizeof text,
                "[system]\nname = \"henon_heiles\"\nrotation = 0.0\n[initial]\nq = [0.0, -0.1]\n"
                "v = [%.17g, 0.0]\n",
                vx);
  constexpr double T = 20000.0;
  const auto found = exponent_of(text, "gauss(stages=3)", 0.1, std::llround(T / 0.1));
  ASSERT_EQ(found.status, Status::ok);
  const auto [rate, error] = rate_of_the_star({0.0, -0.1, vx, 0.0}, T);
  // Two samples of one chaotic sea: they agree as far as their statistics go.
  EXPECT_NEAR(found.exponent, rate, 4.0 * std::hypot(error, found.standard_error));
  // A regular motion would have log(T)/T.
  EXPECT_GT(std::fmin(rate, found.exponent), 100.0 * std::log(T) / T);
  std::printf("%.4f ± %.4f, by Taylor series %.4f ± %.4f\n", found.exponent, found.standard_error,
              rate, error);
}

// Blocks x_{n+1} = ρ x_n + √(1−ρ²) η_n, η normal: 1 and 2 standard errors should hold 68 and 95 %
// of the means (of 2000, so ±1 and ±0.5 %), for independent blocks more, and not be twice too wide.
TEST(Lyapunov, TheStandardErrorCoversCorrelatedBlocks) {
  std::mt19937_64 random(5);
  const auto normal = [&] {  // a sum of twelve: the same on every machine
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11) * 0x1p-53;
    return sum;
  };
  constexpr int series = 2000;
  for (const double rho : {0.0, 0.3, 0.5}) {
    int one = 0;
    int two = 0;
    double given = 0.0;
    double actual = 0.0;
    for (int k = 0; k < series; ++k) {
      std::vector<double> blocks{normal()};
      while (blocks.size() < lyapunov_blocks - 1)
        blocks.push_back(rho * blocks.back() + std::sqrt(1.0 - rho * rho) * normal());
      const auto [mean, error] = mean_of_blocks(blocks);
      one += std::fabs(mean) <= error ? 1 : 0;
      two += std::fabs(mean) <= 2.0 * error ? 1 : 0;
      given += error / series;
      actual += mean * mean / series;
    }
    EXPECT_GE(one, 0.63 * series) << rho;
    EXPECT_GE(two, 0.90 * series) << rho;
    EXPECT_LE(given, 1.5 * std::sqrt(actual)) << rho;
  }
}

// Four blocks 1, 2, 3, 4: their mean has the deviation √(5/12), and with three degrees of freedom
// 68.27 % lie within 1.197 of it (Student's table). Longer series have the largest of their parts.
TEST(Lyapunov, TheStandardErrorIsThatOfTheMean) {
  const std::vector<double> four = {1, 2, 3, 4};
  const MeanOfBlocks found = mean_of_blocks(four);
  EXPECT_DOUBLE_EQ(found.mean, 2.5);
  EXPECT_NEAR(found.standard_error, 1.197 * std::sqrt(5.0 / 12.0), 2e-3);
  // ±1 in turns: pairs say nothing, single ones 1.027/√19 (18 degrees of freedom: 1.0286).
  std::vector<double> turns;
  for (int k = 0; k < 19; ++k) turns.push_back(k % 2 == 0 ? 1.0 : -1.0);
  const double square = 1.0 - 1.0 / 361.0;  // their mean is 1/19
  EXPECT_NEAR(mean_of_blocks(turns).standard_error, 1.0286 * std::sqrt(square / 18.0), 1e-3);
  // Runs of four: as four of them, ±1, but for the three at the start (3 degrees of freedom).
  std::vector<double> runs;
  for (int k = 0; k < 19; ++k) runs.push_back((k + 1) / 4 % 2 == 0 ? 1.0 : -1.0);
  EXPECT_NEAR(mean_of_blocks(runs).standard_error, 1.197 * std::sqrt(4.0 / 3.0 / 4.0), 3e-3);
}

/// A step that looks at what it is given.
class Looking final : public StepMap<double> {
 public:
  Looking(std::unique_ptr<StepMap<double>> map, std::size_t spheres, double& off)
      : map_(std::move(map)), spheres_(spheres), off_(off) {}
  bool operator()(const std::vector<double>& z, std::vector<double>& to) override {
    double rate = 1.0;
    for (std::size_t i = 3 * spheres_; i < z.size(); ++i) rate = std::fmax(rate, std::fabs(z[i]));
    for (std::size_t i = 0; i < 3 * spheres_; i += 3) {
      const double* q = &z[i];
      const double* omega = &z[3 * spheres_ + i];
      off_ = std::fmax(off_, std::fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0));
      off_ = std::fmax(off_, std::fabs(q[0] * omega[0] + q[1] * omega[1] + q[2] * omega[2]) / rate);
    }
    return (*map_)(z, to);
  }

 private:
  std::unique_ptr<StepMap<double>> map_;
  std::size_t spheres_;
  double& off_;
};

class LookedAt final : public Problem {
 public:
  LookedAt(const Problem& problem, double& off) : problem_(problem), off_(off) {}
  std::unique_ptr<Simulation> simulate(const MethodSpec& m,
                                       const IntegrationOptions& o) const override {
    return problem_.simulate(m, o);
  }
  Claims claims(const MethodSpec& m) const override { return problem_.claims(m); }
  EndPoint end_point(const MethodSpec& m, const IntegrationOptions& o, double until,
                     std::int64_t steps, Precision p) const override {
    return problem_.end_point(m, o, until, steps, p);
  }
  double reversal_defect(const MethodSpec& m, const IntegrationOptions& o,
                         std::int64_t steps) const override {
    return problem_.reversal_defect(m, o, steps);
  }
  std::optional<double> symplectic_defect(const MethodSpec& m,
                                          const IntegrationOptions& o) const override {
    return problem_.symplectic_defect(m, o);
  }
  PhaseSpace phase_space() const override { return problem_.phase_space(); }
  InvariantMap invariant_map() const override { return problem_.invariant_map(); }
  std::unique_ptr<StepMap<double>> step_map(const MethodSpec& m,
                                            const IntegrationOptions& o) const override {
    return std::make_unique<Looking>(problem_.step_map(m, o),
                                     static_cast<std::size_t>(phase_space().spheres), off_);
  }
  std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec& m,
                                               const IntegrationOptions& o) const override {
    return problem_.step_map_quad(m, o);
  }
  std::optional<EndPoint> exact(Quad t) const override { return problem_.exact(t); }

 private:
  const Problem& problem_;
  double& off_;
};

// Differences of steps are taken between states that exist: a step need not be defined off the
// spheres, and its derivative there is none of the motion.
TEST(Lyapunov, DifferencesStayOnTheSpheres) {
  static const Registry registry = builtin_registry();
  for (const char* system : {"name = \"spherical_pendulum\"", "name = \"chain_pendulum\"\nn = 3",
                             "name = \"coupled_pendula\""}) {
    const auto scenario =
        io::parse_scenario("[system]\n" + std::string(system) + "\n", "test", {}, registry);
    double off = 0.0;
    const LookedAt problem(*scenario.problem, off);
    const auto found = largest_lyapunov_exponent(problem, MethodSpec::parse("hamel"),
                                                 {0.002, false, {}}, {400, nullptr, {}});
    ASSERT_EQ(found.status, Status::ok) << system;
    // a projection rounds; steps themselves leave |q| = 1 by a random walk of 400 roundings
    EXPECT_LE(off, 64 * 2.2e-16) << system;
  }
}

// Two figures from elsewhere: 0.0463 1/s of Hénon and Heiles' system (two particles, DOP853), and
// of the double pendulum released from (2, 2.5) 1.45 1/s (20,000 s in another arithmetic: 1.448).
TEST(Lyapunov, TheStandardErrorCoversWhatOthersFound) {
  const auto pendulum = exponent_of(R"~([system]
coordinates = ["a", "b"]
lagrangian = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 9.81*(2*cos(a) + cos(b))"
[initial]
q = [2.0, 2.5]
v = [0.0, 0.0]
)~",
                                    "rk4", 0.01, 100000);
  EXPECT_NEAR(pendulum.exponent, 1.45, 2.0 * pendulum.standard_error);
  EXPECT_LE(pendulum.standard_error, 0.08);
}

TEST(Lyapunov, Faults) {
  const std::string pendulum = "[system]\nname = \"spherical_pendulum\"\n";
  EXPECT_THROW(exponent_of(pendulum, "hamel", 0.1, 39), InputError);
  EXPECT_EQ(exponent_of(pendulum, "variational", 100.0, 100).status, Status::no_solution);
  EXPECT_THROW(
      exponent_of("[system]\nname = \"chain_pendulum\"\nn = 2\nbase = [\"sin(t)\", \"0\", \"0\"]\n",
                  "variational", 0.01, 100),
      InputError);
}

}  // namespace
}  // namespace hamel
