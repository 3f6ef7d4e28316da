// SPDX-License-Identifier: BSD-3-Clause
// A pendulum, known by the strength of its field: its equations of motion as a vector field (see
// gauss_stepper.hpp), and the system of its closed steps (a UniformField of sphere_system.hpp).
//
//   z = (q, ω):  q̇ = ω×q,  ω̇ = −G q×e3.                                         [MATH 7.6]
// |q|², q·ω, ω_3 and the energy are quadratic first integrals of this field everywhere.
#pragma once

#include <vector>

#include "hamel/core/vec.hpp"

namespace hamel {

template <class S>
class PendulumField {
 public:
  /// G; of a chain of one link g/l.
  explicit PendulumField(const S& strength) : strength_(strength) {}

  const S& field_strength() const { return strength_; }
  static double inertia() { return 1.0; }
  template <class T>
  static T potential(const Vec<T, 3>& q) {
    return q[2];
  }

  static int size() { return 6; }
  static int guesses() { return 0; }

  void start(const std::vector<S>& q, const std::vector<S>& v, std::vector<S>& z) const {
    z = q;
    z.resize(6);
    put(z.data(), 1, cross(vec_at(q.data(), 0), vec_at(v.data(), 0)));
  }

  bool operator()(const S* z, const S&, S*, S* rate) const noexcept {
    put(rate, 0, cross(vec_at(z, 1), vec_at(z, 0)));  // [MATH 7.6]
    rate[3] = -(strength_ * z[1]);
    rate[4] = strength_ * z[0];
    rate[5] = S(0.0);
    return true;
  }

  bool observe(const S* z, const S&, S* q, S* v) const noexcept {
    put(q, 0, vec_at(z, 0));
    put(v, 0, cross(vec_at(z, 1), vec_at(z, 0)));
    return true;
  }

 private:
  S strength_;
};

}  // namespace hamel
