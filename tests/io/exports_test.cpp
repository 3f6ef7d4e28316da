// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/recording/exports.hpp"

#include <gtest/gtest.h>

namespace hamel::io {
namespace {

std::vector<std::string> names(const std::vector<Column>& columns,
                               const std::vector<std::string>& coordinates) {
  std::vector<std::string> list;
  for (const auto& value : value_names(columns, coordinates))
    list.push_back(value.unit.empty() ? value.name : value.name + " " + value.unit);
  return list;
}

using List = std::vector<std::string>;

TEST(Exports, NamesOfOneSphereOfSeveralAndOfAFrame) {
  EXPECT_EQ(names({{"/t", 1, "s", ""}, {"/q", 3, "1", ""}, {"/invariants/energy", 1, "J", ""}}, {}),
            (List{"t s", "q1 1", "q2 1", "q3 1", "energy J"}));
  EXPECT_EQ(names({{"/q", 6, "1", ""}, {"/omega", 6, "rad/s", ""}, {"/tension", 2, "N", ""}}, {}),
            (List{"q1_1 1", "q1_2 1", "q1_3 1", "q2_1 1", "q2_2 1", "q2_3 1", "omega1_1 rad/s",
                  "omega1_2 rad/s", "omega1_3 rad/s", "omega2_1 rad/s", "omega2_2 rad/s",
                  "omega2_3 rad/s", "tension1 N", "tension2 N"}));
  EXPECT_EQ(names({{"/q", 2, "1", ""}, {"/xi", 1, "1", ""}, {"/p", 1, "1", ""}}, {"x", "theta"}),
            (List{"x", "theta", "xi1", "p1"}));
}

TEST(Exports, EqualNamesAreToldApartByTheirGroup) {
  EXPECT_EQ(names({{"/t", 1, "s", ""}, {"/q", 2, "1", ""}, {"/invariants/energy", 1, "J", ""}},
                  {"t", "energy"}),
            (List{"t_t s", "q_t", "q_energy", "invariants_energy J"}));
}

}  // namespace
}  // namespace hamel::io
