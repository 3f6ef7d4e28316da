// SPDX-License-Identifier: BSD-3-Clause
// The reduced phase space: what is left of the states when those that a symmetry carries into each
// other count as one. Relative equilibria are the states that stay where they are in it.
//
//   frames   z = (q, ξ). The shape r is the coordinates that the equations for ξ̇ and ṙ contain;
//            the others are cyclic and left out. Where the fields with their brackets do not span
//            all of q-space (rotations as nine numbers, unit vectors), r moves only along the leaf
//            through the start.
//   spheres  z = (q, ω) on T(S²)ⁿ, modulo the rotations that commute with the motion.
// A chart has orthonormal directions at a base point; `coordinates(at(c)) = c` to first order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/core/quad.hpp"

namespace hamel {

template <class S>
class StepMap;

class ReducedSpace {
 public:
  using State = std::vector<Quad>;  ///< a state z, or coordinates of one in the chart

  ReducedSpace() = default;
  ReducedSpace(const ReducedSpace&) = delete;
  ReducedSpace& operator=(const ReducedSpace&) = delete;
  virtual ~ReducedSpace() = default;

  /// Puts the chart at z.
  virtual void base_at(const State& z) = 0;
  const State& base() const { return base_; }
  /// Of the chart. The directions of the group, where they are left in, count.
  virtual int dimension() const = 0;
  virtual State at(const State& c) const = 0;
  virtual State coordinates(const State& z) const = 0;

  /// What can be prescribed of a state, and where in z it is.
  struct Component {
    std::string name;
    std::size_t index;
  };
  virtual std::vector<Component> components() const = 0;
  /// Coordinates that are left out.
  virtual std::vector<std::string> cyclic() const { return {}; }

  /// Rotations about these axes commute with the motion; none in frames.
  const std::vector<std::vector<Quad>>& axes() const { return axes_; }
  int group() const { return static_cast<int>(axes_.size()); }
  /// z turned by the rotation vector Σ angle_a axis_a.
  virtual State turned(const State& z, const State& /*angles*/) const { return z; }
  /// d/dangle_a of turned(base), in the chart.
  virtual State generator(int /*a*/) const { return State(static_cast<std::size_t>(dimension())); }
  /// Finds the axes: those about which the map commutes with rotations, at states near z.
  virtual void find_axes(StepMap<Quad>& /*map*/, const State& /*z*/) {}

  /// By how much the map, in the chart, changes where the group or a cyclic coordinate moves its
  /// argument: 0 where it has the symmetry. NaN where the map is not defined.
  virtual Quad symmetry_defect(StepMap<Quad>& map) const = 0;

 protected:
  void set_base(State z) { base_ = std::move(z); }
  void set_axes(std::vector<std::vector<Quad>> axes) { axes_ = std::move(axes); }

 private:
  State base_;
  std::vector<std::vector<Quad>> axes_;
};

}  // namespace hamel
