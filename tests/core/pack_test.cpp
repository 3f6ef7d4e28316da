// SPDX-License-Identifier: BSD-3-Clause
// Kernels over packs: every lane has the bits of the scalar run, whatever its neighbours do.
#include "hamel/core/pack.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "hamel/methods/hamel.hpp"
#include "hamel/methods/variational.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

constexpr int W = 8;
using P = Pack<double, W>;
using test::Pendulum;

SphereInitial<double> lane_initial(int lane) {
  SphereInitial<double> start;
  start.q = normalised(Vec<double, 3>{{0.1 * lane - 0.3, 0.4, lane % 2 == 0 ? -0.8 : 0.6}});
  start.omega = tangent_part(start.q, Vec<double, 3>{{0.3 * lane, 0.2, -0.5}});
  // lane 3 asks for more than the variational step can do, lane 6 rests at the bottom
  if (lane == 3) start.omega = tangent_part(start.q, Vec<double, 3>{{20.0, 0.0, 3.0}});
  if (lane == 6) {
    start.q = {{0.0, 0.0, -1.0}};
    start.omega = {{0.0, 0.0, 0.0}};
  }
  return start;
}

SphereInitial<P> packed_initial() {
  SphereInitial<P> start;
  for (int lane = 0; lane < W; ++lane) {
    const auto one = lane_initial(lane);
    for (int c = 0; c < 3; ++c) {
      start.q[c][lane] = one.q[c];
      start.omega[c][lane] = one.omega[c];
    }
  }
  return start;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <template <class, class, Summation> class Step, class Method, Summation Mode>
void lanes_have_scalar_bits() {
  const Pendulum pendulum;
  const Step<Pendulum, P, Mode> packed(Method{}, pendulum, P(0.2), {});
  const Step<Pendulum, double, Mode> scalar(Method{}, pendulum, 0.2, {});
  auto all = packed.start(packed_initial());
  P failures(0.0);
  for (int n = 0; n < 200; ++n) {
    const auto report = packed.step(all);
    failures = select(report.failed(), failures + P(1.0), failures);
  }
  for (int lane = 0; lane < W; ++lane) {
    auto one = scalar.start(lane_initial(lane));
    int failed = 0;
    for (int n = 0; n < 200; ++n) failed += scalar.step(one).failed() ? 1 : 0;
    EXPECT_EQ(static_cast<int>(failures[lane]), failed) << "lane " << lane;
    for (int c = 0; c < 3; ++c) {
      EXPECT_TRUE(same_bits(all.q.value[c][lane], one.q.value[c])) << "lane " << lane;
      EXPECT_TRUE(same_bits(all.omega.value[c][lane], one.omega.value[c])) << "lane " << lane;
    }
  }
}

TEST(Pack, HamelLanesHaveScalarBits) {
  lanes_have_scalar_bits<HamelStep, Hamel, Summation::plain>();
  lanes_have_scalar_bits<HamelStep, Hamel, Summation::compensated>();
}

TEST(Pack, VariationalLanesHaveScalarBitsAndFailAlone) {
  lanes_have_scalar_bits<VariationalStep, Variational, Summation::plain>();
  lanes_have_scalar_bits<VariationalStep, Variational, Summation::compensated>();
}

TEST(Pack, SelectChoosesLaneByLane) {
  const P a([](int i) { return i; });
  const P b(100.0);
  const P c = select(a < P(3.0), a, b);
  EXPECT_EQ(c[2], 2.0);
  EXPECT_EQ(c[3], 100.0);
  EXPECT_TRUE(any(a < P(1.0)));
  EXPECT_FALSE(all(a < P(1.0)));
}

}  // namespace
}  // namespace hamel
