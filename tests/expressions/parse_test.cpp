// SPDX-License-Identifier: BSD-3-Clause
// The grammar of texts: precedence, functions, numbers, and errors that point at their column.
#include "hamel/expressions/parse.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/expressions/program.hpp"

namespace hamel {
namespace {

/// Names x, y, z, x_dot, theta that are variables and m = 3.
class Parse : public ::testing::Test {
 protected:
  Parse() {
    for (const char* name : {"x", "y", "z", "x_dot", "theta"}) {
      inputs.push_back(graph.input());
      names[name] = inputs.back();
    }
    names["m"] = 3.0;
  }

  Expression parse(std::string_view text) const { return parse_expression(text, names); }

  Expression var(const std::string& name) const { return names.at(name); }

  /// The value at x = 2, y = 3, z = 5, x_dot = 7, theta = 0.25.
  double value(std::string_view text) const {
    const Expression e = parse(text);
    Evaluator<double> evaluate(Program(inputs, {&e, 1}));
    const std::array<double, 5> in = {2, 3, 5, 7, 0.25};
    double out = std::nan("");
    evaluate(in.data(), &out);
    return out;
  }

  /// The message that the text is refused with, "" where it is not.
  std::string error(std::string_view text) const {
    try {
      parse(text);
    } catch (const InputError& e) {
      EXPECT_EQ(e.problems().size(), 1U);
      return e.what();
    }
    return "";
  }

  /// The whole message for a short text without special characters.
  static std::string message(const std::string& what, const std::string& text, int column,
                             const std::string& advice = "") {
    return what + " at column " + std::to_string(column) + advice + "\n" + text + "\n" +
           std::string(static_cast<std::size_t>(column) - 1, ' ') + "^";
  }

  void expect_error(const std::string& text, int column, const std::string& what,
                    const std::string& advice = "") const {
    EXPECT_EQ(error(text), message(what, text, column, advice));
  }

  ExpressionGraph graph;
  std::vector<Expression> inputs;
  NameTable names;
};

bool same_node(const Expression& a, const Expression& b) {
  return !a.is_constant() && !b.is_constant() && a.graph() == b.graph() && a.node() == b.node();
}

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

TEST_F(Parse, OperatorsBindInTheUsualOrder) {
  // x = 2, y = 3, z = 5: every other grouping gives another value
  const std::vector<std::pair<const char*, double>> table = {
      {"x + y*z", 17},  {"(x + y)*z", 25}, {"x - y - z", -6},  {"x - (y - z)", 4}, {"60/x/y", 10},
      {"60/(x/y)", 90}, {"60/x*y", 90},    {"60/(x*y)", 10},   {"x*y + z", 11},    {"x*y^x", 18},
      {"-x^2", -4},     {"(-x)^2", 4},     {"2^y^2", 512},     {"(2^y)^2", 64},    {"2^3^2", 512},
      {"x^-1", 0.5},    {"2^-1", 0.5},     {"2^-3^2", 0x1p-9}, {"-2^-2", -0.25},   {"2^+3", 8},
      {"x - -y", 5},    {"x--y", 5},       {"x*-y", -6},       {"-x*y", -6},       {"60/-x", -30},
      {"--x", 2},       {"-+-x", 2},       {"+x", 2},          {"-x - y", -5},     {"-(x + y)", -5},
      {"x^2*y", 12},    {"x*y/z*z", 6},    {"((x))", 2},       {" x\t+\n y\r", 5}, {"x_dot*m", 21},
  };
  for (const auto& [text, expected] : table) EXPECT_DOUBLE_EQ(value(text), expected) << text;
}

TEST_F(Parse, TextBuildsTheSameNodesAsCode) {
  const Expression x = var("x"), y = var("y"), z = var("z");
  EXPECT_TRUE(same_node(parse("x - y - z"), (x - y) - z));
  EXPECT_TRUE(same_node(parse("x/y/z"), (x / y) / z));
  EXPECT_TRUE(same_node(parse("x/y*z"), (x / y) * z));
  EXPECT_TRUE(same_node(parse("-x^2"), -(x * x)));
  EXPECT_TRUE(same_node(parse("x^y^z"), pow(x, pow(y, z))));
  EXPECT_TRUE(same_node(parse("x^-y"), pow(x, -y)));
  EXPECT_TRUE(same_node(parse("sin(x)*cos(y + z)"), sin(x) * cos(y + z)));
  EXPECT_TRUE(same_node(parse("x"), x));
}

TEST_F(Parse, EveryFunctionIsKnown) {
  const Expression x = var("x"), y = var("y"), z = var("z");
  const std::vector<std::pair<const char*, Expression>> table = {
      {"sin(x)", sin(x)},
      {"cos(x)", cos(x)},
      {"tan(x)", tan(x)},
      {"asin(x)", asin(x)},
      {"acos(x)", acos(x)},
      {"atan(x)", atan(x)},
      {"sinh(x)", sinh(x)},
      {"cosh(x)", cosh(x)},
      {"tanh(x)", tanh(x)},
      {"exp(x)", exp(x)},
      {"log(x)", log(x)},
      {"sqrt(x)", sqrt(x)},
      {"abs(x)", abs(x)},
      {"min(x, y)", min(x, y)},
      {"max(x, y)", max(x, y)},
      {"atan2(x, y)", atan2(x, y)},
      {"atan2(y, x)", atan2(y, x)},
      {"min(x, y, z)", min(min(x, y), z)},
      {"max(x, y, z, 1)", max(max(max(x, y), z), 1.0)},
      {"sin (x)", sin(x)},
  };
  for (const auto& [text, expected] : table) EXPECT_TRUE(same_node(parse(text), expected)) << text;
  EXPECT_EQ(value("min(z, x, y)"), 2.0);
  EXPECT_EQ(value("max(z, x, y)"), 5.0);
  EXPECT_EQ(value("max(x, min(y, 4), 1)"), 3.0);
}

TEST_F(Parse, NumbersAreReadInQuad) {
  const std::vector<std::pair<const char*, const char*>> table = {
      {"1", "1"},
      {"1.", "1"},
      {".5", "0.5"},
      {"0.1", "0.1"},
      {"1e-3", "0.001"},
      {"1E+5", "100000"},
      {"1.5e3", "1500"},
      {"1.e2", "100"},
      {".5E1", "5"},
      {"007", "7"},
      {"1e05", "100000"},
      {"3.14159265358979323846264338327950288", "3.14159265358979323846264338327950288"},
  };
  for (const auto& [text, expected] : table) {
    const Expression e = parse(text);
    EXPECT_TRUE(e.is_constant() && e.value() == quad_from_string(expected)) << text;
  }
  EXPECT_TRUE(parse("0.1").value() != Quad(0.1)) << "rounded to double on the way";
  EXPECT_TRUE(parse("1/3").value() == Quad(1) / 3);
  EXPECT_TRUE(parse("pi").value() ==
              quad_from_string("3.14159265358979323846264338327950288419716939937511"));
  EXPECT_TRUE(parse("-pi/4 + atan(1)").value() == 0);
  EXPECT_TRUE(parse("m^2").value() == 9);
}

TEST_F(Parse, ExponentsAndNamesAreToldApart) {
  names["e"] = var("z");
  EXPECT_EQ(value("2e0*e"), 10.0);
  EXPECT_EQ(value("e - 1"), 4.0);
  EXPECT_EQ(value("2e-1"), 0.2);
  expect_error("2exp(x)", 2, "missing operator; a product is written 2*exp");
  expect_error("2e", 1, "malformed number '2e'");
}

TEST_F(Parse, ReservedWordsCannotBeRedefined) {
  names["pi"] = 3.0;
  names["sin"] = var("x");
  EXPECT_TRUE(parse("pi").value() != 3);
  EXPECT_TRUE(same_node(parse("sin(y)"), sin(var("y"))));
  for (const char* word : {"pi", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh",
                           "cosh", "tanh", "exp", "log", "sqrt", "abs", "min", "max"})
    EXPECT_TRUE(is_reserved(word)) << word;
  for (const char* word : {"", "x", "Sin", "PI", "sins", "e", "t"})
    EXPECT_FALSE(is_reserved(word)) << word;
}

TEST_F(Parse, NamesHaveLettersDigitsAndUnderscores) {
  for (const char* word : {"x", "_", "_1", "x_dot", "theta2", "AbC", "sin"})
    EXPECT_TRUE(is_name(word)) << word;
  for (const char* word : {"", "1x", "x-y", "x ", " x", "θ", "x.y", "x\n"})
    EXPECT_FALSE(is_name(word)) << word;
  EXPECT_FALSE(is_name(std::string_view("x\0", 2)));
}

TEST_F(Parse, UnknownNamesAreReportedWithTheNearestKnownOne) {
  const std::string known = "known: m, theta, x, x_dot, y, z";
  const auto expect_unknown = [&](const std::string& text, int column, const std::string& name,
                                  const std::string& meant) {
    expect_error(text, column, "unknown name '" + name + "'",
                 meant.empty() ? "; " + known : "; did you mean '" + meant + "'? " + known);
  };
  expect_unknown("m/2*x_dt^2", 5, "x_dt", "x_dot");
  expect_unknown("2*thetta", 3, "thetta", "theta");
  expect_unknown("1 + sine(x)", 5, "sine", "sin' or 'sinh");
  expect_unknown("sqr(x)", 1, "sqr", "sqrt");
  expect_unknown("Pi*x", 1, "Pi", "pi");
  expect_unknown("x*wavelength", 3, "wavelength", "");
  expect_unknown("nan", 1, "nan", "tan");
}

TEST_F(Parse, FunctionsAndNamesAreNotConfused) {
  expect_error("x + sin x", 5, "'sin' needs parentheses: sin(...)");
  expect_error("sin", 1, "'sin' needs parentheses: sin(...)");
  expect_error("sin^2(x)", 1, "'sin' needs parentheses: sin(...)");
  expect_error("1 + x(y)", 5, "'x' is no function; a product is x*(...)");
  expect_error("pi (y)", 1, "'pi' is no function; a product is pi*(...)");
}

TEST_F(Parse, ArgumentsAreCounted) {
  expect_error("x + sin(x, y)", 5, "'sin' takes 1 argument, not 2");
  expect_error("sin()", 1, "'sin' takes 1 argument, not 0");
  expect_error("atan2(x)", 1, "'atan2' takes 2 arguments, not 1");
  expect_error("atan2(x, y, z)", 1, "'atan2' takes 2 arguments, not 3");
  expect_error("2*min(x)", 3, "'min' takes 2 or more arguments, not 1");
  expect_error("max()", 1, "'max' takes 2 or more arguments, not 0");
}

TEST_F(Parse, MissingOperandsAreReported) {
  expect_error("x +", 4, "missing operand after '+'");
  expect_error("x*", 3, "missing operand after '*'");
  expect_error("-", 2, "missing operand after '-'");
  expect_error("(", 2, "missing operand after '('");
  expect_error("min(x,", 7, "missing operand after ','");
  expect_error("*x", 1, "missing operand before '*'");
  expect_error("x + * y", 5, "missing operand before '*'");
  expect_error("x */ y", 4, "missing operand before '/'");
  expect_error("x*^2", 3, "missing operand before '^'");
  expect_error("x^", 3, "missing operand after '^'");
  expect_error("()", 2, "missing operand before ')'");
  expect_error("(x + )", 6, "missing operand before ')'");
  expect_error("min(, x)", 5, "missing operand before ','");
  expect_error("min(x, )", 8, "missing operand before ')'");
  expect_error(")", 1, "missing operand before ')'");
}

TEST_F(Parse, ParenthesesMustMatch) {
  expect_error("x*(y + (z - 1)", 3, "missing ')' for the '('");
  expect_error("(x", 1, "missing ')' for the '('");
  expect_error("2*sin(x + y", 6, "missing ')' for the '('");
  expect_error("max(x, y", 4, "missing ')' for the '('");
  expect_error("(x + y))*z", 8, "superfluous ')'");
  expect_error("x)", 2, "superfluous ')'");
  expect_error("x, y", 2, "',' outside of the arguments of a function");
  expect_error("max((x, y), 1)", 7, "',' outside of the arguments of a function");
}

TEST_F(Parse, ProductsNeedTheirSign) {
  expect_error("2x", 2, "missing operator; a product is written 2*x");
  expect_error("1 + 2(x)", 6, "missing operator; a product is written 2*(...)");
  expect_error("x y", 3, "missing operator; a product is written x*y");
  expect_error("(x)(y)", 4, "missing operator; a product is written (...)*(...)");
  expect_error("(x) 2.5", 5, "missing operator; a product is written (...)*2.5");
  expect_error("1e3x_dot", 4, "missing operator; a product is written 1e3*x_dot");
  expect_error("sin(2x)", 6, "missing operator; a product is written 2*x");
  expect_error("x .5", 3, "missing operator; a product is written x*.5");
}

TEST_F(Parse, OtherSpellingsOfOperatorsAreNamed) {
  expect_error("x**2", 2, "write '^' instead of '**'");
  expect_error("x − y", 3, "write '-' instead of '−'");
  expect_error("−x", 1, "write '-' instead of '−'");
  expect_error("2·x", 2, "write '*' instead of '·'");
  expect_error("2×x", 2, "write '*' instead of '×'");
  expect_error("2*π", 3, "write 'pi' instead of 'π'");
}

TEST_F(Parse, UnknownCharactersAreReported) {
  expect_error("x + y; z", 6, "unknown character ';'");
  expect_error("x = y", 3, "unknown character '='");
  expect_error("[x]", 1, "unknown character '['");
  expect_error("2*θ", 3, "unknown character 'θ'");
  expect_error("x ≤ y", 3, "unknown character '≤'");
  expect_error("x*𝜃", 3, "unknown character '𝜃'");
}

TEST_F(Parse, ColumnsCountCharactersNotBytes) {
  // Each multi-byte character is one column; the caret stands under the first of them.
  EXPECT_EQ(error("x + θ + ψ"), "unknown character 'θ' at column 5\nx + θ + ψ\n    ^");
  EXPECT_EQ(error("θ"), "unknown character 'θ' at column 1\nθ\n^");
}

TEST_F(Parse, MessagesAreTextWhateverWasRead) {
  EXPECT_EQ(error("x +\t\n$"), "unknown character '$' at column 6\nx +  $\n     ^");
  EXPECT_EQ(error("x\x07y"), "unknown character ' ' at column 2\nx y\n ^");
  EXPECT_EQ(error("x\x1B[31m"), "unknown character ' ' at column 2\nx [31m\n ^");
  EXPECT_EQ(error("x\xC2\x9B"), "unknown character ' ' at column 2\nx \n ^");
  EXPECT_EQ(error(std::string_view("x\0", 2)), "unknown character ' ' at column 2\nx \n ^");
  // not UTF-8: a stray byte, an overlong form, half a character, a surrogate
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(error("x\xFF"), "unknown character '" + bad + "' at column 2\nx" + bad + "\n ^");
  EXPECT_EQ(error("\xC0\xAF"), "unknown character '" + bad + "' at column 1\n" + bad + bad + "\n^");
  EXPECT_EQ(error("x\xE2\x88"),
            "unknown character '" + bad + "' at column 2\nx" + bad + bad + "\n ^");
  EXPECT_EQ(error("\xED\xA0\x80"),
            "unknown character '" + bad + "' at column 1\n" + bad + bad + bad + "\n^");
}

TEST_F(Parse, MalformedNumbersAreReported) {
  expect_error("x + 1.2.3", 5, "malformed number '1.2.3'");
  expect_error("1..2", 1, "malformed number '1..2'");
  expect_error("1e", 1, "malformed number '1e'");
  expect_error("2*1e+", 3, "malformed number '1e+'");
  expect_error("1e-*x", 1, "malformed number '1e-'");
  expect_error("1e5.5", 1, "malformed number '1e5.5'");
  expect_error(".", 1, "malformed number '.'");
  expect_error("x*.", 3, "malformed number '.'");
  expect_error(".e5", 1, "malformed number '.'");
}

TEST_F(Parse, ConstantsThatAreNotFiniteAreReportedWhereTheyArise) {
  expect_error("x + 1/0", 6, "the value of '/' is not a finite number");
  expect_error("x/0", 2, "the value of '/' is not a finite number");
  expect_error("x/(y - y)", 2, "the value of '/' is not a finite number");
  expect_error("0/0*x", 2, "the value of '/' is not a finite number");
  expect_error("2*log(0)", 3, "the value of 'log' is not a finite number");
  expect_error("sqrt(-1)", 1, "the value of 'sqrt' is not a finite number");
  expect_error("asin(1 + 1)", 1, "the value of 'asin' is not a finite number");
  expect_error("(-8)^(1/3)", 5, "the value of '^' is not a finite number");
  expect_error("0^-1", 2, "the value of '^' is not a finite number");
  expect_error("9^9^9", 2, "the value of '^' is not a finite number");
  expect_error("exp(1000)", 1, "the value of 'exp' is not a finite number");
  expect_error("1e308*10", 6, "the value of '*' is not a finite number");
  expect_error("1.7e308 + 1.7e308", 9, "the value of '+' is not a finite number");
  expect_error("-1.7e308 - 1.7e308", 10, "the value of '-' is not a finite number");
  expect_error("x*1e400", 3, "the value of '1e400' is not a finite number");
  expect_error("1e999999999999", 1, "the value of '1e999999999999' is not a finite number");
  EXPECT_EQ(error("1.7976931348623157e308"), "");
  EXPECT_EQ(error("1e-999999999999"), "");
  EXPECT_EQ(error("0*x/y"), "");
}

TEST_F(Parse, EmptyTextIsReported) {
  for (const char* text : {"", " ", "\t\n\r  "})
    EXPECT_EQ(error(text), "empty expression at column 1\n\n^");
}

TEST_F(Parse, LongTextsAreShownAroundTheErrorOnly) {
  const std::string head = repeated("x + ", 50), tail = repeated(" + y", 50);
  // in the middle: "..." on both sides, 70 characters in all
  const std::string message = error(head + "?" + tail);
  EXPECT_EQ(message, "unknown character '?' at column 201\n..." + head.substr(168, 32) + "?" +
                         tail.substr(0, 31) + "...\n" + std::string(35, ' ') + "^");
  // near the ends: nothing is cut on that side
  EXPECT_EQ(error("?" + tail),
            "unknown character '?' at column 1\n?" + tail.substr(0, 66) + "...\n^");
  EXPECT_EQ(error(head), "missing operand after '+' at column 200\n..." +
                             head.substr(199 - 67, 67) + "\n" + std::string(70, ' ') + "^");
}

TEST_F(Parse, LongWordsAreClippedInMessages) {
  const std::string long_name(1000, 'q');
  const std::string message = error(long_name);
  EXPECT_TRUE(message.starts_with("unknown name '" + long_name.substr(0, 60) + "...' at column 1;"))
      << message;
  EXPECT_LE(message.size(), 250U);
}

TEST_F(Parse, TextsOfMoreThan20000CharactersAreRefused) {
  const std::string longest = "x" + repeated("+x", 9999) + " ";
  EXPECT_EQ(longest.size(), 20000U);
  EXPECT_EQ(value(longest), 20000.0);
  EXPECT_TRUE(error(longest + "+").starts_with("more than 20000 characters at column 20001\n..."));
  EXPECT_EQ(error("x" + std::string(30000, ' ')), "") << "blanks at the end do not count";
  EXPECT_NE(error("x" + std::string(20000, ' ') + "+ y"), "") << "blanks inside do";
  EXPECT_NE(error(std::string(1'000'000, '(')), "");
}

TEST_F(Parse, NestingOfMoreThan200LevelsIsRefused) {
  const std::string what = "nesting deeper than 200 levels at column ";
  const auto parentheses = [](int n) { return repeated("(", n) + "x" + repeated(")", n); };
  EXPECT_EQ(value(parentheses(200)), 2.0);
  EXPECT_TRUE(error(parentheses(201)).starts_with(what + "201\n"));
  EXPECT_TRUE(error(repeated("(", 20000)).starts_with(what + "201\n"));
  EXPECT_EQ(value(repeated("-", 200) + "x"), 2.0);
  EXPECT_TRUE(error(repeated("-", 201) + "x").starts_with(what + "201\n"));
  EXPECT_TRUE(error(repeated("+", 19999) + "x").starts_with(what + "201\n"));
  EXPECT_EQ(value("x" + repeated("^1", 200)), 2.0);
  EXPECT_TRUE(error("x" + repeated("^1", 201)).starts_with(what + "402\n"));
  EXPECT_TRUE(error("x" + repeated("^y", 9999)).starts_with(what + "402\n"));
  EXPECT_TRUE(error(repeated("abs(", 201)).starts_with(what + "804\n"));
  EXPECT_TRUE(error(repeated("-(x^", 3000)).starts_with(what))
      << "levels of different kinds add up";
  // levels that are left again do not count
  EXPECT_EQ(value("0" + repeated("+((x))", 3000)), 6000.0);
  EXPECT_EQ(value("0" + repeated("+-x", 3000)), -6000.0);
  EXPECT_EQ(value("0" + repeated("+x^1", 3000)), 6000.0);
}

/// Any text is an expression or an InputError of one problem whose caret stands under its column.
class ParseAnything : public Parse {
 protected:
  void expect_result_or_error(const std::string& text) {
    try {
      parse(text);
      ++parsed;
    } catch (const InputError& e) {
      ++refused;
      const std::string what = e.what();
      const std::size_t last = what.rfind('\n');
      ASSERT_NE(last, std::string::npos);
      const std::size_t middle = what.rfind('\n', last - 1);
      ASSERT_NE(middle, std::string::npos);
      EXPECT_EQ(what.find_first_not_of(' ', last + 1), what.size() - 1) << what;
      EXPECT_EQ(what.back(), '^') << what;
      EXPECT_EQ(what.find('\n'), middle) << what;
      EXPECT_NE(what.rfind(" at column ", middle), std::string::npos) << what;
    }
  }
  int parsed = 0, refused = 0;
};

TEST_F(ParseAnything, RandomBytesNeverCrash) {
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < 10000; ++round) {
    std::string text;
    for (std::size_t i = below(40); i-- > 0;)
      text += static_cast<char>(below(2) == 0 ? below(256) : 32 + below(95));
    expect_result_or_error(text);
  }
  EXPECT_GT(refused, 5000);
}

TEST_F(ParseAnything, RandomTokensNeverCrash) {
  const std::vector<std::string> tokens = {
      "x",     "y",    "z",     "x_dot", "theta", "m",      "pi",    "q",     "sin(",
      "cos(",  "tan(", "asin(", "acos(", "atan(", "atan2(", "sinh(", "cosh(", "tanh(",
      "exp(",  "log(", "sqrt(", "abs(",  "min(",  "max(",   "sin",   "(",     ")",
      ")",     ")",    ",",     "+",     "-",     "*",      "/",     "^",     "**",
      "0",     "1",    "2",     "16",    "17",    "0.5",    ".5",    "1e308", "1e",
      "1.2.3", "1e-3", " ",     "−",     "θ",     "\xFF",   "\t",    "$"};
  std::mt19937 random(20240301);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < 10000; ++round) {
    std::string text;
    for (std::size_t i = below(below(4) == 0 ? 60 : 8); i-- > 0;)
      text += tokens[below(tokens.size())];
    expect_result_or_error(text);
  }
  EXPECT_GT(parsed, 300);
  EXPECT_GT(refused, 3000);
}

/// Well-formed texts, with now and then one character of them changed.
TEST_F(ParseAnything, DamagedExpressionsNeverCrash) {
  std::mt19937 random(20240302);
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::string original =
      "m/2*((x_dot - 0.5*sin(theta)*y)^2 + (z + 5e-1*cos(theta)*x)^2) - min(x, -y, abs(z))^-1.5";
  ASSERT_EQ(error(original), "");
  for (int round = 0; round < 5000; ++round) {
    std::string text = original;
    for (std::size_t i = below(4); i-- > 0;) {
      const std::size_t place = below(text.size());
      switch (below(3)) {
        case 0: text.erase(place, 1 + below(5)); break;
        case 1: text.insert(place, 1, static_cast<char>(below(256))); break;
        default: text[place] = original[below(original.size())];
      }
      if (text.empty()) text = "x";
    }
    expect_result_or_error(text);
  }
  EXPECT_GT(parsed, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace hamel
