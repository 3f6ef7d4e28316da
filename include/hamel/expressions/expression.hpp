// SPDX-License-Identifier: BSD-3-Clause
// Expression: a number that remembers how it was computed.
//
// An Expression is either a constant or a node of an ExpressionGraph. It behaves as a scalar: a
// function template over its scalar (a Lagrangian, a frame), called with Expressions, leaves its
// formula in the graph, from where it is differentiated (expressions/derivatives.hpp) and compiled
// into a Program (expressions/program.hpp). Text becomes Expressions by expressions/parse.hpp.
//
// Equal nodes are one node: common subexpressions are shared as they arise. Constants are folded in
// Quad and rounded once, to the scalar that a program runs in; 0·x, x + 0, x − x and their like
// disappear. A branch cannot depend on an Expression; select(a < b, x, y), min and max can.
//
// A parameter is a number that may change without another graph. It has a nominal value, as have
// all formulas of parameters and constants alone, which are called fixed: they are folded like
// constants, when a Program is given its numbers. Where the shape of a formula depends on a
// parameter (an exponent, a branch) its nominal value is put in, and the parameter is pinned: other
// values of it want another graph. A held quantity is a number that may change from step to step:
// programs keep it until they are given another. A graph that is frozen takes no more nodes; its
// copies do.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "hamel/core/scalar.hpp"

namespace hamel {

enum class Op : std::uint8_t {
  constant,
  input,
  parameter,
  held,
#define HAMEL_OPERATOR(name, ...) name,
#define HAMEL_FUNCTION(name, ...) name,
#include "hamel/expressions/ops.def"
};

/// Operands of an operation: 0, 1, 2 or 3.
int operands(Op op);

class ExpressionGraph;

class Expression {
 public:
  Expression() = default;
  Expression(double value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  static Expression constant(Quad value) {
    Expression e;
    e.value_ = value;
    return e;
  }

  bool is_constant() const { return graph_ == nullptr; }
  bool is_constant(double value) const {
    if (graph_ != nullptr) return false;
    const auto bits = std::bit_cast<Bits>(value_);  // a comparison of Quads takes 10 ns
    if (value == 0.0) return bits.sign_and_high << 1U == 0 && bits.low == 0;
    const auto other = std::bit_cast<Bits>(Quad(value));
    return bits.low == other.low && bits.sign_and_high == other.sign_and_high;
  }
  /// Of a constant.
  Quad value() const { return value_; }
  /// Whether it depends on parameters and constants alone.
  bool is_fixed() const;
  /// Of what is fixed: its value for the nominal values of the parameters.
  Quad nominal() const;
  /// Of an expression that is no constant.
  ExpressionGraph* graph() const { return graph_; }
  int node() const { return node_; }
  /// The same in a copy of its graph.
  Expression in(ExpressionGraph& copy) const;

  /// Of what is fixed, for its nominal value.
  template <class T>
  requires(std::is_same_v<T, double> || std::is_same_v<T, long double> ||
           std::is_same_v<T, Quad>) explicit
  operator T() const {
    return static_cast<T>(nominal());
  }

  Expression& operator+=(const Expression& b);
  Expression& operator-=(const Expression& b);
  Expression& operator*=(const Expression& b);
  Expression& operator/=(const Expression& b);

 private:
  friend class ExpressionGraph;
  struct Bits {
    std::uint64_t low, sign_and_high;
  };
  static_assert(std::endian::native == std::endian::little && sizeof(Bits) == sizeof(Quad));

  ExpressionGraph* graph_ = nullptr;
  int node_ = -1;
  Quad value_ = 0;
};

/// Owns the nodes; every Expression of it must not outlive it.
class ExpressionGraph {
 public:
  struct Node {
    Op op;
    bool fixed;   ///< a constant, a parameter, or made of them
    int a, b, c;  ///< operands, −1 where there is none
    Quad value;   ///< of what is fixed, nominal
  };

  ExpressionGraph() = default;
  /// A copy, with the same ids, which takes nodes again.
  ExpressionGraph(const ExpressionGraph& other);
  ExpressionGraph& operator=(const ExpressionGraph&) = delete;

  /// A new independent variable.
  Expression input();
  /// A new parameter.
  Expression parameter(Quad nominal);
  /// A new held quantity.
  Expression held();
  /// The operation, simplified where it can be.
  Expression apply(Op op, const Expression& a, const Expression& b = {}, const Expression& c = {});

  /// Parameters, in the order in which they were made.
  int parameters() const { return static_cast<int>(parameters_.size()); }
  Expression parameter_at(int i);
  bool pinned(int i) const { return pinned_[static_cast<std::size_t>(i)]; }
  /// Where a held quantity stands among them, in the order in which they were made.
  int held_index(int id) const;

  /// The parameters in it keep their nominal values from now on; gives its nominal value.
  Quad pin(const Expression& e);

  /// From now on nobody adds a node: threads may read.
  void freeze() { frozen_ = true; }

  int size() const { return static_cast<int>(nodes_.size()); }
  const Node& node(int id) const { return nodes_[static_cast<std::size_t>(id)]; }
  Expression at(int id);

 private:
  /// Ids found by what they stand for.
  class Index {
   public:
    /// The id of this hash that is the same, or else `fresh`, which belongs to it from now on.
    template <class Same>
    int find_or_add(std::uint32_t hash, int fresh, const Same& same);

   private:
    struct Slot {
      std::uint32_t hash;
      int id = -1;  // −1: free
    };
    std::vector<Slot> slots_;
    std::size_t count_ = 0;
  };

  int intern(const Expression& e);
  Expression add_node(Op op, int a, int b, int c);
  void refuse_when_frozen() const;

  std::vector<Node> nodes_;
  Index known_, constants_;
  std::vector<int> parameters_, held_;
  std::vector<bool> pinned_;
  bool frozen_ = false;
};

inline bool Expression::is_fixed() const {
  return graph_ == nullptr || std::as_const(*graph_).node(node_).fixed;
}
inline Quad Expression::nominal() const {
  return graph_ == nullptr ? value_ : std::as_const(*graph_).node(node_).value;
}
inline Expression Expression::in(ExpressionGraph& copy) const {
  Expression e = *this;
  if (graph_ != nullptr) e.graph_ = &copy;
  return e;
}

/// The operation on expressions of one graph; constants need none.
Expression apply(Op op, const Expression& a, const Expression& b = {}, const Expression& c = {});

inline Expression operator+(const Expression& a, const Expression& b) {
  return apply(Op::add, a, b);
}
inline Expression operator-(const Expression& a, const Expression& b) {
  return apply(Op::sub, a, b);
}
inline Expression operator*(const Expression& a, const Expression& b) {
  return apply(Op::mul, a, b);
}
inline Expression operator/(const Expression& a, const Expression& b) {
  return apply(Op::div, a, b);
}
inline Expression operator-(const Expression& a) { return apply(Op::neg, a); }
inline Expression operator+(const Expression& a) { return a; }
/// 1 where a < b, else 0: the condition of select().
inline Expression operator<(const Expression& a, const Expression& b) {
  return apply(Op::less, a, b);
}
inline Expression operator>(const Expression& a, const Expression& b) {
  return apply(Op::less, b, a);
}

inline Expression& Expression::operator+=(const Expression& b) { return *this = *this + b; }
inline Expression& Expression::operator-=(const Expression& b) { return *this = *this - b; }
inline Expression& Expression::operator*=(const Expression& b) { return *this = *this * b; }
inline Expression& Expression::operator/=(const Expression& b) { return *this = *this / b; }

#define HAMEL_EXPRESSION_1(f) \
  inline Expression f(const Expression& x) { return apply(Op::f, x); }
#define HAMEL_EXPRESSION_2(f) \
  inline Expression f(const Expression& a, const Expression& b) { return apply(Op::f, a, b); }
#define HAMEL_FUNCTION(name, n, ...) HAMEL_EXPRESSION_##n(name)
#include "hamel/expressions/ops.def"
HAMEL_EXPRESSION_2(pow)
#undef HAMEL_EXPRESSION_1
#undef HAMEL_EXPRESSION_2
inline Expression hypot(const Expression& a, const Expression& b) { return sqrt(a * a + b * b); }
inline Expression select(const Expression& condition, const Expression& a, const Expression& b) {
  return apply(Op::select, condition, a, b);
}

template <>
struct ScalarTraits<Expression> {
  using Mask = Expression;
  using Count = int;
  using Real = Expression;
  static constexpr int derivatives = 0;
};

}  // namespace hamel
