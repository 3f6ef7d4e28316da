// SPDX-License-Identifier: BSD-3-Clause
// Symplectic defect of one step on TS².
//
//   TS² ⊂ TR³ with the restriction of Ω((δq,δv),(δq',δv')) = δq·δv' − δq'·δv.
// With e1, e2 an orthonormal tangent basis, e1 along q̇, the vectors
//   (e1, −|v|q)/√(1+|v|²), (e2, 0), (0, e1), (0, e2)
// are an orthonormal basis of the tangent space at (q, v). The step is run on duals seeded with
// these four directions; its columns J_k = (δq', δv') give the defect
//   max_ij |Ω(J_i, J_j) − Ω_ij| / max|Ω_ij|.                                    [MATH 5.5]
#pragma once

#include "hamel/autodiff/dual.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/models/sphere_system.hpp"

namespace hamel {

/// Step4 is a step class over Dual<double, 4>. Returns the defect, or NaN where the step fails.
template <class Step4>
double symplectic_defect(const Step4& stepper, const SphereInitial<double>& at) {
  using D = Dual<double, 4>;
  const Vec<double, 3> q = normalised(at.q);
  const Vec<double, 3> v = cross(at.omega, q);
  const Mat<double, 2, 3> basis = tangent_basis(q, v);
  const double speed = norm(v);
  const double shrink = 1.0 / std::sqrt(1.0 + speed * speed);

  // δq and δv of the four directions
  double dq[4][3] = {};
  double dv[4][3] = {};
  for (int c = 0; c < 3; ++c) {
    dq[0][c] = shrink * basis(0, c);
    dv[0][c] = -shrink * speed * q[c];
    dq[1][c] = basis(1, c);
    dv[2][c] = basis(0, c);
    dv[3][c] = basis(1, c);
  }

  SphereInitial<D> seeded = at.template as<D>();
  Vec<D, 3> velocity = cast<D>(v);
  for (int c = 0; c < 3; ++c) {
    seeded.q[c] = D(q[c]);
    for (int k = 0; k < 4; ++k) {
      seeded.q[c].d[k] = dq[k][c];
      velocity[c].d[k] = dv[k][c];
    }
  }
  seeded.omega = cross(seeded.q, velocity);
  seeded.body = false;

  auto state = stepper.start(seeded);
  if (stepper.step(state).failed()) return std::numeric_limits<double>::quiet_NaN();
  const SphereState<D> end = stepper.observe(state);
  const Vec<D, 3> end_velocity = cross(end.omega, end.q);

  const auto form = [](const auto& positions, const auto& velocities, int i, int j) {
    double sum = 0.0;
    for (int c = 0; c < 3; ++c)
      sum += positions(i, c) * velocities(j, c) - positions(j, c) * velocities(i, c);
    return sum;
  };
  double defect = 0.0;
  double largest = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      const double before = form([&](int k, int c) { return dq[k][c]; },
                                 [&](int k, int c) { return dv[k][c]; }, i, j);
      const double after = form([&](int k, int c) { return end.q[c].d[k]; },
                                [&](int k, int c) { return end_velocity[c].d[k]; }, i, j);
      const double difference = std::fabs(after - before);
      defect = difference > defect || difference != difference ? difference : defect;
      largest = std::fmax(largest, std::fabs(before));
    }
  }
  return defect / largest;
}

}  // namespace hamel
