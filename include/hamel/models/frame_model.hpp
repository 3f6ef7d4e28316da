// SPDX-License-Identifier: BSD-3-Clause
// FrameModel: a mechanical system written in a frame, as expressions.
//
//   q ∈ Rᴺ,   q̇ = ψ(q)ξ = ξ^i u_i(q),   i = 1 … m,                                       [MATH 1.1]
//   a Lagrangian L(q, q̇), or l(q, ξ) in the quasi-velocities ξ^1 … ξ^n, n ≥ m.
// Fewer fields than coordinates restrict the velocity: nonholonomic constraints, or redundant
// coordinates such as the nine entries of a rotation. ξ^{m+1} … ξ^n are set to zero after l was
// differentiated [MATH 1.4]. Structure functions c_ij^k are computed where the frame is injective;
// where it is redundant they must be given [MATH 1.7].
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hamel/expressions/derivatives.hpp"

namespace hamel {

/// c_ij^k = value, antisymmetric in i, j; indices from 0.
struct Bracket {
  int i, j, k;
  Expression value;
};

/// A quantity to watch, in q, v, xi, p, t.
struct FrameInvariant {
  std::string name, unit, description;
  Expression value;
};

/// A point of a motion.
struct FrameMotion {
  std::vector<Quad> q, xi;
};

/// A quantity from outside that formulas contain, and are differentiated with it held fixed: a
/// parameter, a formula of t, or a symbol that stands for
///   a law of the state, u = law(q, v, t) wherever the formulas are taken: solved with the step;
///   a law of the state when a period begins, held until the next;
///   a function of time, held in each step at its middle value.              [MATH 11.2]
struct FrameInput {
  std::string name;
  Expression symbol;
  std::optional<Expression> law;            ///< in q, v, t
  double period = 0.0;                      ///< s, of a law that is held; else 0
  std::function<double(double t)> of_time;  ///< empty but for the last

  bool is_held() const { return period > 0.0 || of_time; }
  bool is_continuous() const { return law && !is_held(); }
};

struct FrameModel {
  std::shared_ptr<ExpressionGraph> graph;
  std::vector<std::string> coordinates;
  std::vector<std::string> parameters;  ///< names of the graph's

  // Variables.
  Expressions q;   ///< N coordinates
  Expressions v;   ///< N velocities
  Expressions xi;  ///< n quasi-velocities, the first m admissible
  Expressions p;   ///< m momenta p_j = ∂l/∂ξ^j
  Expression t;

  bool quasi = false;     ///< the Lagrangian is l(q, ξ), else L(q, v)
  Expression lagrangian;  ///< may contain t
  /// L(q, v) beside l(q, ξ), for the methods that need it; where absent it follows by ξ = φv.
  std::optional<Expression> in_velocities;
  std::vector<Expressions> frame;       ///< rows u_1 … u_m
  std::vector<Expressions> complement;  ///< rows u_{m+1} …; may be empty
  std::vector<std::string> completed;   ///< the fields of complete_frame, in words
  std::vector<Bracket> brackets;        ///< as given
  bool brackets_given = false;
  Expressions force;  ///< N components paired with q̇, in q, v, t; empty where there are none
  std::vector<FrameInvariant> invariants;
  std::vector<FrameInput> inputs;
  bool redundant = false;  ///< the fields are dependent everywhere; see mark_redundancy
  /// In a redundant frame: ξ is the shortest with ψ(q)ξ = v; v determines it, others are refused.
  bool shortest = false;
  /// The closed solution through (q, ξ), with these numbers of the parameters, as a function of
  /// time; empty where there is none.
  using Solution = std::function<FrameMotion(Quad t)>;
  std::function<Solution(std::span<const double> numbers, const std::vector<Quad>& q,
                         const std::vector<Quad>& xi)>
      exact;

  int coordinates_count() const { return static_cast<int>(q.size()); }
  int fields() const { return static_cast<int>(frame.size()); }
  bool forced() const { return !force.empty(); }
  /// As many independent fields as coordinates: q and ξ are free.
  bool unconstrained() const { return fields() == coordinates_count() && !redundant; }
  /// ψ is the identity: ξ = q̇.
  bool coordinate_frame() const;
  /// ψ does not depend on q.
  bool constant_frame() const;
  /// The admissible quasi-velocities.
  std::span<const Expression> admissible() const { return std::span(xi).first(frame.size()); }

  /// What the equations of motion are functions of: q, the admissible ξ, t.
  Expressions variables() const;

  /// A new parameter.
  Expression parameter(std::string name, double nominal);
  /// f with the continuous laws of the inputs in their places, at the velocity v.
  Expressions closed(std::span<const Expression> f, std::span<const Expression> v) const;
  /// Whether any input is held.
  bool holds() const { return std::ranges::any_of(inputs, &FrameInput::is_held); }
  /// Whether the Lagrangian changes with t, or with an input that does.
  bool is_timed() const;
  /// The same model on a graph of its own, to which formulas can be added.
  FrameModel copy() const;
  /// The same with these numbers, in the order of the parameters, in their places, and for held
  /// inputs some functions of time: what is said of it is said of them, whatever they are.
  FrameModel specialised(std::span<const double> numbers) const;
  /// The names of those parameters that may have other numbers without another graph.
  std::vector<std::string> free_parameters() const;
  std::size_t parameter_index(const std::string& name) const;
  /// The nominal values of the parameters.
  std::vector<double> nominal() const;

  /// With variables, and nothing else yet: N coordinates, n quasi-velocities, m admissible.
  static FrameModel with_variables(std::vector<std::string> coordinates, int quasi_velocities,
                                   int fields);

 private:
  /// Calls visit(expression) for all of them.
  template <class Visit>
  void each(const Visit& visit);
  void substitute(const Expressions& from, const Expressions& to);
};

/// Sets `redundant` by the rank of the frame at general points.
void mark_redundancy(FrameModel& model);

/// Adds fields to the complement until there are as many as coordinates: a single one as the cross
/// product of the others (regular wherever they are), more as coordinate fields ∂_b, those farthest
/// from dependent at general points. For l(q, ξ) only where it has as many quasi-velocities; ξ^a
/// then is along the field added. No effect where the frame is redundant or brackets are given.
void complete_frame(FrameModel& model);

/// The rank of the frame at q.
int frame_rank(const FrameModel& model, const std::vector<double>& q);

}  // namespace hamel
