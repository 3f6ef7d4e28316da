// SPDX-License-Identifier: BSD-3-Clause
// Brackets that are not those of the frame are refused, whatever the frame. [MATH 1.1] [MATH 1.7]
#include "hamel/runs/frame_brackets.hpp"

#include <gtest/gtest.h>

#include "hamel/catalogue/make_frame_entry.hpp"
#include "hamel/core/error.hpp"
#include "hamel/models/frame_text.hpp"
#include "hamel/systems/chain_on_cart.hpp"
#include "hamel/systems/chaplygin_ball.hpp"
#include "hamel/systems/euler_top.hpp"
#include "hamel/systems/heavy_top.hpp"
#include "hamel/systems/lagrange_top.hpp"
#include "hamel/systems/lynch_zenkov.hpp"
#include "hamel/systems/n_sphere_pendulum.hpp"
#include "hamel/systems/rigid_body_pendulum.hpp"
#include "hamel/systems/rolling_ball_on_table.hpp"
#include "hamel/systems/suslov.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

std::string refusal(const FrameModel& model, const Numbers& q) {
  try {
    check_brackets(model, q);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

bool refused(const FrameModel& model, const Numbers& q) { return !refusal(model, q).empty(); }

struct Named {
  std::string name;
  FrameModel model;
  Numbers q;
};

template <class System>
Named named(const char* name) {
  return {name, frame_model(System{}), make_entry<System>(name).default_initial.values.at("q")};
}

/// All systems of the catalogue whose brackets are given; a test below counts them.
std::vector<Named> frames_with_brackets() {
  std::vector<Named> list;
  list.push_back(named<ChainOnCart>("chain_on_cart"));
  list.push_back(named<ChaplyginBall>("chaplygin_ball"));
  list.push_back(named<EulerTop>("euler_top"));
  list.push_back(named<HeavyTop>("heavy_top"));
  list.push_back(named<LagrangeTop>("lagrange_top"));
  list.push_back(named<LynchZenkov>("lynch_zenkov"));
  list.push_back(named<NSpherePendulum>("n_sphere_pendulum"));
  list.push_back(named<RigidBodyPendulum>("rigid_body_pendulum"));
  list.push_back(named<RollingBallOnTable>("rolling_ball_on_table"));
  list.push_back(named<Suslov>("suslov"));
  return list;
}

/// No combination of fields decides on a bracket along one that moves nothing, or is not given.
bool undecided(const Named& frame, const Bracket& bracket) {
  if (frame.name == "rolling_ball_on_table") return bracket.k == 2;  // u3 = 0
  return frame.name == "lynch_zenkov" && bracket.k == 2;  // s is left out, and u3 with it
}

TEST(FrameBrackets, ThoseOfTheCatalogueAreTheFramesOwn) {
  for (const Named& frame : frames_with_brackets()) {
    EXPECT_TRUE(frame.model.brackets_given) << frame.name;
    EXPECT_EQ(refusal(frame.model, frame.q), "") << frame.name;
  }
}

TEST(FrameBrackets, AnyOfThemFlippedDoubledLeftOutOrElsewhereIsRefused) {
  int tried = 0;
  for (const Named& frame : frames_with_brackets()) {
    for (std::size_t b = 0; b < frame.model.brackets.size(); ++b) {
      const Bracket& given = frame.model.brackets[b];
      if (undecided(frame, given)) continue;
      const auto with = [&](auto change) {
        FrameModel other = frame.model;
        change(other.brackets);
        ++tried;
        return other;
      };
      const auto at = static_cast<std::ptrdiff_t>(b);
      EXPECT_TRUE(refused(with([&](auto& list) { list[b].value = -given.value; }), frame.q))
          << frame.name << " " << b << " flipped";
      EXPECT_TRUE(refused(with([&](auto& list) { list[b].value = 2.0 * given.value; }), frame.q))
          << frame.name << " " << b << " doubled";
      // Those with a field that is not admissible enter no equation.
      const bool needed = given.i < frame.model.fields() && given.j < frame.model.fields();
      EXPECT_EQ(refused(with([&](auto& list) { list.erase(list.begin() + at); }), frame.q), needed)
          << frame.name << " " << b << " left out";
      const int n = static_cast<int>(frame.model.xi.size());
      const int other = given.k == n - 1 ? given.k - 1 : given.k + 1;
      Bracket moved = given;
      moved.k = other;
      if (!undecided(frame, moved)) {
        EXPECT_TRUE(refused(with([&](auto& list) { list[b].k = other; }), frame.q))
            << frame.name << " " << b << " along another field";
      }
      // What vanishes at the start shows elsewhere.
      const std::size_t c = frame.q.size() - 1;
      const Expression vanishing = frame.model.q[c] - frame.q[c];
      EXPECT_TRUE(
          refused(with([&](auto& list) { list[b].value = given.value + vanishing; }), frame.q))
          << frame.name << " " << b << " off the start";
    }
  }
  EXPECT_GE(tried, 200);
}

TEST(FrameBrackets, AllSignsWrongIsRefusedWithTheRightOnes) {
  Named top = named<HeavyTop>("heavy_top");
  for (Bracket& bracket : top.model.brackets) bracket.value = -bracket.value;
  const std::string told = refusal(top.model, top.q);
  EXPECT_NE(told.find("[u1, u2] = (0, -0.6, 0), but c_12^k u_k = (0, 0.6, 0)"), std::string::npos)
      << told;
  EXPECT_NE(told.find("brackets = [[1, 2, 3, \"1\"], [1, 3, 2, \"-1\"], [2, 3, 1, \"1\"]]"),
            std::string::npos)
      << told;
}

// E = Γ_a u_a moves nothing: g1 E beside [u1, u2] satisfies the relation, but not Jacobi's
// identity: [u3, g1 E] = u3[g1] E.
/// c_ij^k from a list of those that are not zero; i, j, k from 1.
double bracket_of(const FrameBrackets& brackets, int i, int j, int k) {
  for (const auto& c : brackets.values)
    if (c.i + 1 == i && c.j + 1 == j && c.k + 1 == k) return c.value;
  return 0.0;
}

// u1 = ∂r, u2 = (1/r)∂φ: [u1, u2] = −(1/r²)∂φ = −(1/r)u2, of whatever Lagrangian.
TEST(FrameBrackets, TheirValuesAreThoseOfTheFields) {
  FrameModel polar = FrameModel::with_variables({"r", "phi"}, 2, 2);
  polar.frame = {{Expression(1.0), Expression()}, {Expression(), 1.0 / polar.q[0]}};
  polar.lagrangian = polar.v[0] * polar.v[0];
  const auto found = bracket_values(polar, {0.8, 2.0});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->values.size(), 1U);
  EXPECT_DOUBLE_EQ(bracket_of(*found, 1, 2, 2), -1.25);
  EXPECT_TRUE(found->completed.empty());
}

// [u1, u2] = (sin θ, −cos θ, 0) leaves the span of the two, so the frame is completed; a complement
// of the author's own is kept.
TEST(FrameBrackets, ThoseOfConstrainedFramesNeedAThirdField) {
  FrameModel sleigh = FrameModel::with_variables({"x", "y", "theta"}, 2, 2);
  const Expression s = sin(sleigh.q[2]);
  const Expression c = cos(sleigh.q[2]);
  sleigh.frame = {{c, s, Expression()}, {Expression(), Expression(), Expression(1.0)}};
  const Numbers q = {0.3, -0.2, 0.7};
  const auto completed = bracket_values(sleigh, q);
  ASSERT_TRUE(completed);
  EXPECT_EQ(completed->fields, 2);
  EXPECT_EQ(completed->completed.size(), 1U);
  ASSERT_EQ(completed->values.size(), 1U);
  EXPECT_DOUBLE_EQ(std::fabs(bracket_of(*completed, 1, 2, 3)), 1.0);

  sleigh.complement = {{-2.0 * s, 2.0 * c, Expression()}};
  const auto own = bracket_values(sleigh, q);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->values.size(), 2U);
  EXPECT_DOUBLE_EQ(bracket_of(*own, 1, 2, 3), -0.5);
  EXPECT_DOUBLE_EQ(bracket_of(*own, 2, 3, 1), -2.0);
}

// Given brackets are shown as they are, redundant frame or not; nobody knows others of a redundant
// one. Rotations: c_ij^k = ε_ijk.
TEST(FrameBrackets, ThoseOfRotationsAreCrossProducts) {
  for (FrameModel model : {frame_model(HeavyTop{}), frame_model(EulerTop{})}) {
    const Numbers q(model.q.size(), 0.5);
    const auto found = bracket_values(model, q);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->values.size(), 3U);
    EXPECT_DOUBLE_EQ(bracket_of(*found, 1, 2, 3), 1.0);
    EXPECT_DOUBLE_EQ(bracket_of(*found, 2, 3, 1), 1.0);
    EXPECT_DOUBLE_EQ(bracket_of(*found, 1, 3, 2), -1.0);
  }
  FrameModel top = frame_model(HeavyTop{});
  top.brackets_given = false;
  EXPECT_FALSE(bracket_values(top, {0.6, 0.0, 0.8}));
}

TEST(FrameBrackets, JacobisIdentityIsAsked) {
  Named top = named<HeavyTop>("heavy_top");
  const auto add = [&](const Expression& factor) {
    FrameModel other = top.model;
    for (int a = 0; a < 3; ++a)
      other.brackets.push_back({0, 1, a, factor * other.q[static_cast<std::size_t>(a)]});
    return other;
  };
  EXPECT_NE(refusal(add(top.model.q[0]), top.q).find("Jacobi"), std::string::npos);
  EXPECT_EQ(refusal(add(1.0), top.q), "");  // another algebra with the same fields
}

TEST(FrameBrackets, WhatTheRelationCannotDecideIsRemarked) {
  for (const Named& frame : frames_with_brackets()) {
    const bool dependent = frame.name == "heavy_top" || frame.name == "n_sphere_pendulum" ||
                           frame.name == "chain_on_cart" || frame.name == "lynch_zenkov" ||
                           frame.name == "rolling_ball_on_table";
    EXPECT_EQ(!bracket_remark(frame.model, frame.q).empty(), dependent) << frame.name;
  }
}

// l(ξ1, ξ2) of a sleigh: its bracket leaves the two fields, whose span a projection would stay in.
TEST(FrameBrackets, AFrameWithoutThoseItsBracketsNeedIsRefused) {
  FrameText text;
  text.coordinates = {"x", "y", "a"};
  text.quasi = true;
  text.lagrangian = {"quasi_lagrangian", "(xi1^2 + 1.25*xi2^2)/2"};
  const auto row = [](std::initializer_list<const char*> entries) {
    std::vector<FormulaText> list;
    for (const char* entry : entries) list.push_back({"frame", entry});
    return list;
  };
  text.frame = {row({"cos(a)", "sin(a)", "0"}), row({"0", "0", "1"})};
  std::vector<TextProblem> problems;
  const FrameModel model = frame_model(text, problems);
  ASSERT_TRUE(problems.empty());
  const std::string told = refusal(model, {0.0, 0.0, 0.5});
  EXPECT_NE(told.find("complement"), std::string::npos) << told;
}

}  // namespace
}  // namespace hamel
