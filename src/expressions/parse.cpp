// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/expressions/parse.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/core/words.hpp"

namespace hamel {

namespace {

struct Function {
  std::string_view name;
  Op op;
  std::size_t least = 1, most = 1;  // arguments
};
constexpr std::size_t many = longest_expression;
constexpr Function functions[] = {
#define HAMEL_FUNCTION(name, n, most, ...) {#name, Op::name, n, most},
#include "hamel/expressions/ops.def"
};

/// What people write, and what the grammar wants.
constexpr std::string_view spellings[][2] = {{"−", "-"}, {"–", "-"}, {"·", "*"},
                                             {"×", "*"}, {"÷", "/"}, {"π", "pi"}};

const Function* find_function(std::string_view word) {
  const auto* const found = std::ranges::find(functions, word, &Function::name);
  return found == std::end(functions) ? nullptr : found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_numeric(char c) { return is_digit(c) || c == '.'; }

/// Bytes of the first character of a text; 0 where it is not UTF-8 (RFC 3629).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool no_letter = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || no_letter ? 0 : length;
}

/// A character as a message shows it: control characters as blanks.
std::string shown(std::string_view letter) {
  const auto last = static_cast<unsigned char>(letter.back());
  const bool c0 = letter.size() == 1 && (last < 0x20 || last == 0x7F);
  const bool c1 = letter.size() == 2 && letter[0] == '\xC2' && last < 0xA0;
  return c0 || c1 ? " " : std::string(letter);
}

std::string in_quotes(std::string_view word) { return "'" + clipped(word) + "'"; }

class Parser {
 public:
  Parser(std::string_view text, const NameTable& names) : names_(names) {
    text = text.substr(0, text.find_last_not_of(" \t\n\r") + 1);
    // Stops where the text is too long. What is not UTF-8 becomes U+FFFD, fit for messages.
    while (!text.empty() && letters_.size() <= longest_expression) {
      const std::size_t length = character_length(text);
      letters_.push_back(length > 0 ? text.substr(0, length) : std::string_view("\xEF\xBF\xBD"));
      text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    skip(is_blank);
  }

  Expression parse() {
    if (letters_.size() > longest_expression)
      fail(longest_expression, "more than " + std::to_string(longest_expression) + " characters");
    if (at_end()) fail(0, "empty expression");
    Expression e = sum();
    if (!at_end()) unexpected();
    return e;
  }

 private:
  Expression sum() {
    Expression e = product();
    for (std::size_t where = at_; accept('+') || accept('-'); where = at_) {
      const std::string op = last_;
      const Expression b = product();
      e = finite(op == "+" ? e + b : e - b, where, op);
    }
    return e;
  }

  Expression product() {
    Expression e = with_sign();
    for (std::size_t where = at_; accept('*') || accept('/'); where = at_) {
      const std::string op = last_;
      if (op == "*" && letter() == '*') fail(where, "write '^' instead of '**'");
      const Expression b = with_sign();
      const bool by_zero = op == "/" && b.is_fixed() && b.nominal() == Quad(0);
      e = finite(by_zero ? Expression(1.0) / 0.0 : op == "*" ? e * b : e / b, where, op);
    }
    return e;
  }

  Expression with_sign() {
    const char sign = letter();
    if (sign != '-' && sign != '+') return power();
    enter(at_);
    accept(sign);
    const Expression e = with_sign();
    --depth_;
    return sign == '-' ? -e : e;
  }

  Expression power() {
    Expression base = operand();
    const std::size_t where = at_;
    if (!accept('^')) return base;
    enter(where);
    const Expression exponent = with_sign();
    --depth_;
    return finite(pow(base, exponent), where, "^");
  }

  Expression operand() {
    const char c = letter();
    if (is_numeric(c)) return number();
    if (is_letter(c)) return name();
    if (c == '(') return in_parentheses(false).front();
    if (at_end()) fail(at_, "missing operand after " + in_quotes(last_));
    if (std::string_view("*/^),").find(c) == std::string_view::npos) unknown_character();
    fail(at_, "missing operand before " + in_quotes({&c, 1}));
  }

  Expression number() {
    const std::size_t begin = at_;
    std::size_t digits = skip(is_digit);
    if (letter() == '.') ++at_, digits += skip(is_digit);
    // 2e3 is a number, 2exp(x) a product without its sign
    if (digits > 0 && (letter() == 'e' || letter() == 'E') && !is_letter(letter(1))) {
      at_ += letter(1) == '+' || letter(1) == '-' ? 2 : 1;
      digits = skip(is_digit);
    }
    const bool malformed = digits == 0 || skip(is_numeric) > 0;
    finish(begin);
    if (malformed) fail(begin, "malformed number " + in_quotes(last_));
    return finite(Expression::constant(quad_from_string(last_)), begin, last_);
  }

  Expression name() {
    const std::size_t begin = at_;
    skip(is_word);
    finish(begin);
    const std::string word = last_;
    if (const Function* function = find_function(word)) return call(*function, begin);
    const auto known = names_.find(word);
    if (word != "pi" && known == names_.end()) unknown_name(word, begin);
    if (letter() == '(')
      fail(begin, in_quotes(word) + " is no function; a product is " + clipped(word) + "*(...)");
    return word == "pi" ? Expression::constant(acos(Quad(-1))) : known->second;
  }

  Expression call(const Function& function, std::size_t where) {
    const std::string name(function.name);
    if (letter() != '(') fail(where, in_quotes(name) + " needs parentheses: " + name + "(...)");
    const std::vector<Expression> arguments = in_parentheses(true);
    const char* const wanted = function.most == 1      ? "1 argument"
                               : function.most == many ? "2 or more arguments"
                                                       : "2 arguments";
    if (arguments.size() < function.least || arguments.size() > function.most)
      fail(where,
           in_quotes(name) + " takes " + wanted + ", not " + std::to_string(arguments.size()));
    Expression e = function.most == 1 ? apply(function.op, arguments[0]) : arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) e = apply(function.op, e, arguments[i]);
    return finite(e, where, name);
  }

  /// One expression, or the arguments of a function.
  std::vector<Expression> in_parentheses(bool arguments) {
    const std::size_t open = at_;
    enter(open);
    accept('(');
    std::vector<Expression> list;
    if (!arguments || letter() != ')') list.push_back(sum());
    while (arguments && accept(',')) list.push_back(sum());
    if (at_end()) fail(open, "missing ')' for the '('");
    if (!accept(')')) unexpected();
    --depth_;
    return list;
  }

  // Characters and tokens. at_ stands on the first character of a token, or at the end.

  bool at_end() const { return at_ == letters_.size(); }
  /// An ASCII character from at_ on; NUL stands for all others and for the end.
  char letter(std::size_t ahead = 0) const {
    const std::size_t i = at_ + ahead;
    return i < letters_.size() && letters_[i].size() == 1 ? letters_[i][0] : '\0';
  }
  template <class Predicate>
  std::size_t skip(Predicate wanted) {
    std::size_t count = 0;
    for (; !at_end() && wanted(letter()); ++at_) ++count;
    return count;
  }
  void finish(std::size_t begin) {  // the token that began there
    last_.clear();
    for (std::size_t i = begin; i < at_; ++i) last_ += letters_[i];
    skip(is_blank);
  }
  bool accept(char c) {
    if (letter() != c) return false;
    finish(at_++);
    return true;
  }
  void enter(std::size_t where) {
    if (++depth_ > deepest_expression)
      fail(where, "nesting deeper than " + std::to_string(deepest_expression) + " levels");
  }

  Expression finite(const Expression& e, std::size_t where, std::string_view what) const {
    constexpr Quad largest = std::numeric_limits<double>::max();
    if (e.is_fixed() && !(abs(e.nominal()) <= largest))
      fail(where, "the value of " + in_quotes(what) + " is not a finite number");
    return e;
  }

  [[noreturn]] void fail(std::size_t where, const std::string& what,
                         const std::string& advice = "") const {
    constexpr std::size_t widest_window = 70;
    const std::size_t size = letters_.size();
    const std::size_t begin =
        std::min(where - std::min(where, widest_window / 2), size - std::min(size, widest_window));
    const std::size_t end = std::min(size, begin + widest_window);
    std::string window;
    for (std::size_t i = begin; i < end; ++i) {
      const bool cut = (begin > 0 && i < begin + 3) || (end < size && i + 3 >= end);
      window += cut ? "." : shown(letters_[i]);
    }
    throw InputError(what + " at column " + std::to_string(where + 1) + advice + "\n" + window +
                     "\n" + std::string(where - begin, ' ') + "^");
  }

  /// After a complete expression, where neither an operator nor an expected ) or , follows.
  [[noreturn]] void unexpected() {
    const char c = letter();
    const std::size_t where = at_;
    if (c == ')') fail(where, "superfluous ')'");
    if (c == ',') fail(where, "',' outside of the arguments of a function");
    if (c != '(' && !is_numeric(c) && !is_letter(c)) unknown_character();
    const std::string left = last_ == ")" ? "(...)" : clipped(last_);
    skip([](char d) { return is_word(d) || d == '.'; });
    finish(where);
    const std::string right = c == '(' ? "(...)" : clipped(last_);
    fail(where, "missing operator; a product is written " + left + "*" + right);
  }

  [[noreturn]] void unknown_character() const {
    const std::string found = shown(letters_[at_]);
    for (const auto& [written, meant] : spellings)
      if (written == found)
        fail(at_, "write " + in_quotes(meant) + " instead of " + in_quotes(found));
    fail(at_, "unknown character " + in_quotes(found));
  }

  [[noreturn]] void unknown_name(const std::string& word, std::size_t where) const {
    std::vector<std::string> variables;
    for (const auto& entry : names_) variables.push_back(entry.first);
    std::vector<std::string> known = variables;
    known.emplace_back("pi");
    for (const auto& function : functions) known.emplace_back(function.name);
    const std::string meant = did_you_mean(word, known);
    fail(where, "unknown name " + in_quotes(word),
         variables.empty()
             ? meant
             : meant + (meant.empty() ? "; " : " ") + "known: " + list_of_words(variables, 200));
  }

  const NameTable& names_;
  std::vector<std::string_view> letters_;
  std::size_t at_ = 0;
  std::string last_;  // the token before at_
  int depth_ = 0;
};

}  // namespace

Expression parse_expression(std::string_view text, const NameTable& names) {
  return Parser(text, names).parse();
}

bool is_name(std::string_view word) {
  return !word.empty() && is_letter(word[0]) && std::ranges::all_of(word, is_word);
}

bool is_reserved(std::string_view word) { return word == "pi" || find_function(word) != nullptr; }

}  // namespace hamel
