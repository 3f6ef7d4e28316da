// SPDX-License-Identifier: BSD-3-Clause
// Text to Expression: m/2*(x_dot^2 + y_dot^2) - g*sin(theta).
//
//   sum     = product { ("+" | "-") product }
//   product = signed { ("*" | "/") signed }
//   signed  = ("-" | "+") signed | power
//   power   = operand [ "^" signed ]
//   operand = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//
// ^ is right-associative and above the unary minus: −x^2 = −(x^2), 2^3^2 = 2^9, 2^−1 = 1/2. Numbers
// (1, 1., .5, 1e-3) and pi are read in Quad. Functions: sin cos tan asin acos atan atan2 sinh cosh
// tanh exp log sqrt abs min max; min and max take two arguments or more.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "hamel/expressions/expression.hpp"

namespace hamel {

/// What names mean in a text. Reserved words cannot be redefined: an entry of that name is not
/// seen.
using NameTable = std::map<std::string, Expression, std::less<>>;

/// Limits that protect against hostile files.
inline constexpr int longest_expression = 20000;  ///< characters
inline constexpr int deepest_expression = 200;    ///< parentheses, signs and ^ inside each other

/// The expression that the text denotes. Any sequence of bytes is either that or an InputError of
/// one problem in three lines, columns counted in characters from 1:
///   unknown name 'x_dt'; did you mean 'x_dot'? at column 5
///   m/2*x_dt^2
///       ^
/// A constant part that is not finite in double, such as 1/0 or sqrt(-1), is an error too.
Expression parse_expression(std::string_view text, const NameTable& names);

/// Whether the word is a name: [A-Za-z_][A-Za-z0-9_]*.
bool is_name(std::string_view word);

/// Whether the word has a meaning of its own: pi and the functions.
bool is_reserved(std::string_view word);

}  // namespace hamel
