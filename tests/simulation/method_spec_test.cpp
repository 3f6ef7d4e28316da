// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/method_spec.hpp"

#include <gtest/gtest.h>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"

namespace hamel {
namespace {

TEST(MethodSpec, ReadsNameOptionsAndComposition) {
  const auto spec = MethodSpec::parse(" dla( constraint = average, alpha=0 ) + kl8 ");
  EXPECT_EQ(spec.text, "dla(constraint=average,alpha=0)+kl8");
  EXPECT_EQ(spec.name, "dla");
  EXPECT_EQ(spec.options.at("constraint"), "average");
  EXPECT_EQ(spec.options.at("alpha"), "0");
  EXPECT_EQ(spec.composition, Composition::kl8);
}

TEST(MethodSpec, ListsSplitAtCommasOutsideParentheses) {
  const auto specs = parse_methods("hamel,gauss(stages=4,x=1),variational+su4");
  ASSERT_EQ(specs.size(), 3U);
  EXPECT_EQ(specs[1].text, "gauss(stages=4,x=1)");
}

TEST(MethodSpec, RefusesWhatIsMalformed) {
  for (const char* bad : {"", "  ", "a(", "a)", "a()", "a(b)", "a(b=)", "a(=1)", "a(b=1,b=2)",
                          "+kl8", "a+", "a+zz", "a+kl8+su4", "a b(", "a(b=1)c", "a-b", "é"})
    EXPECT_THROW(MethodSpec::parse(bad), InputError) << bad;
  EXPECT_THROW(parse_methods("hamel,,rk4"), InputError);
}

}  // namespace
}  // namespace hamel
