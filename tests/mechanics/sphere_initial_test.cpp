// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/sphere_initial.hpp"

#include <gtest/gtest.h>

#include "hamel/systems/spherical_pendulum.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

using Notes = std::vector<std::string>;

TEST(SphereInitial, SmallDefectsAreMendedWithANote) {
  Notes notes;
  const auto start =
      OnSphere::initial(0, {{{"q", {1.0 + 1e-7, 0, 0}}, {"omega", {1e-8, 1, 0}}}, true}, notes);
  EXPECT_EQ(notes.size(), 2U);
  EXPECT_EQ(norm(start.q), 1.0);
  EXPECT_NEAR(dot(start.q, start.omega), 0.0, 1e-23);
}

TEST(SphereInitial, LargeDefectsAreRefusedByName) {
  Notes notes;
  const auto refusal = [&](std::vector<double> q, std::vector<double> w) -> std::string {
    try {
      OnSphere::initial(0, {{{"q", q}, {"omega", w}}, true}, notes);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal({0.9, 0, 0}, {0, 1, 0}).find("initial.q"), std::string::npos);
  EXPECT_NE(refusal({0, 0, 0}, {0, 1, 0}).find("initial.q"), std::string::npos);
  EXPECT_NE(refusal({1, 0, 0}, {0.5, 1, 0}).find("initial.omega"), std::string::npos);
}

// [MATH 5.3]: rows of R0 = (b1, Γ×b1, Γ), q = R0e3, ω = R0Ω, against the golden start.
TEST(SphereInitial, BodyDataGiveTheBobOfTheGoldenFile) {
  Notes notes;
  const double g3 = -std::sqrt(0.87);
  const auto start = OnSphereWithBody::initial(
      1, {{{"Gamma", {0.3, 0.2, g3}}, {"Omega", {0.6, 0.0}}}, true}, notes);
  EXPECT_NEAR(start.q[0], 0.293332500831319481, 1e-16);
  EXPECT_NEAR(start.q[1], -0.209656967344383659, 1e-16);
  EXPECT_NEAR(start.omega[0], 0.572363520850167389, 2e-16);
  EXPECT_NEAR(start.omega[1], 0.0, 1e-16);
  EXPECT_NEAR(start.omega[2], 0.18, 1e-16);
  EXPECT_TRUE(start.body);
}

TEST(SphereInitial, NormaliseFalseKeepsThePrintedLength) {
  Notes notes;
  const auto start = OnSphereWithBody::initial(
      1, {{{"Gamma", {0.3, 0.2, -0.932738}}, {"Omega", {0.6, 0.0}}}, false}, notes);
  EXPECT_NEAR(length_defect(start.Gamma), 8.83e-8, 1e-10);
  EXPECT_NEAR(length_defect(start.q), length_defect(start.Gamma), 1e-15);
  EXPECT_TRUE(notes.empty());
}

TEST(SphereInitial, GammaAlongAnAxisStillHasAnAttitude) {
  for (const auto& g : {std::vector<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}}) {
    Notes notes;
    const auto start =
        OnSphereWithBody::initial(1, {{{"Gamma", g}, {"Omega", {0.4, -0.2}}}, true}, notes);
    EXPECT_NEAR(norm(start.q), 1.0, 1e-15);
    EXPECT_NEAR(dot(start.q, start.omega), 0.0, 1e-16);
    EXPECT_NEAR(norm2(start.omega), 0.2, 1e-15);
  }
}

// [MATH 5.2] [D0 (16)]: the field of a potential, by jets, and the energy.
TEST(SphereSystem, FieldIsTheGradientOverTheInertia) {
  const test::Neumann neumann;
  const Vec<double, 3> q{{0.1, -0.7, 0.4}};
  const auto F = field(neumann, q);
  EXPECT_NEAR(F[0], neumann.k1 * q[0] / 2.0, 1e-16);
  EXPECT_NEAR(F[1], neumann.k2 * q[1] / 2.0, 1e-16);
  const auto jet = field_jet(neumann, q);
  EXPECT_NEAR(jet.jacobian(2, 2), neumann.k3 / 2.0, 1e-16);
  EXPECT_EQ(jet.jacobian(0, 1), 0.0);
  const auto rate = sphere_rate(test::Pendulum{}, q, Vec<double, 3>{{1, 2, 3}});
  EXPECT_NEAR(rate.omega[0], -q[1], 1e-16);  // −G q×e3, G = 1
  EXPECT_NEAR(rate.omega[1], q[0], 1e-16);
  EXPECT_NEAR(rate.q[2], 1 * q[1] - 2 * q[0], 1e-16);
  // L = ½ I|q̇|² − U, so E = ½ I|q̇|² + U
  const auto state = SphereState<double>::from_omega({{0, 0, 1}}, {{2, 0, 0}});
  EXPECT_NEAR(energy(test::Pendulum{3.0, 2.0, 5.0}, state), 0.5 * 12 * 4 + 30, 1e-13);
}

// [D0 (16)] [MATH 5]: L = ½ m r²|q̇|² − m g r q3, G = g/r.
TEST(SphericalPendulum, HasTheLagrangianOfTheDocument) {
  SphericalPendulum pendulum;
  pendulum.mass = 3.0;
  pendulum.length = 2.0;
  pendulum.gravity = 5.0;
  EXPECT_EQ(pendulum.field_strength(), 2.5);
  const Vec<double, 3> q{{0.1, -0.7, 0.4}};
  const auto jet = field_jet(pendulum, q);  // ∇U/I from the potential
  EXPECT_NEAR(jet.value[0], 0.0, 1e-16);
  EXPECT_NEAR(jet.value[1], 0.0, 1e-16);
  EXPECT_NEAR(jet.value[2], 2.5, 1e-15);
  const auto state = SphereState<double>::from_omega({{0, 0, 1}}, {{2, 0, 0}});
  EXPECT_NEAR(energy(pendulum, state), 0.5 * 12 * 4 + 30, 1e-13);
}

}  // namespace
}  // namespace hamel
