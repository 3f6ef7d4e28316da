// SPDX-License-Identifier: BSD-3-Clause
// The pendulum on S^(n−1) in closed form.
//
// Reflections that fix q0, v0 and e_n fix the motion: it stays in their span. With a, b an
// orthonormal basis of the horizontal parts of q0 and v0, the components along (a, b, e_n) are the
// spherical pendulum (systems/closed/spherical_pendulum_solution.hpp), and ξ = q ∧ v.
#pragma once

#include <cmath>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/models/frame_model.hpp"
#include "hamel/systems/closed/spherical_pendulum_solution.hpp"

namespace hamel {

/// The planes (i, j), i < j < n, in lexical order; indices from 0.
class RotationPlanes {
 public:
  explicit RotationPlanes(int n) : n_(n) {}
  int count() const { return n_ * (n_ - 1) / 2; }
  int operator()(int i, int j) const { return i * (2 * n_ - i - 1) / 2 + j - i - 1; }

 private:
  int n_;
};

/// (x ∧ y)_ij = x_i y_j − x_j y_i.
template <class S>
std::vector<S> wedge(const std::vector<S>& x, const std::vector<S>& y) {
  std::vector<S> planes;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i + 1; j < x.size(); ++j) planes.push_back(x[i] * y[j] - x[j] * y[i]);
  return planes;
}

class NSpherePendulumSolution {
 public:
  /// G = g/r. |q0| = 1 and ξ0 = q0 ∧ v0 up to 1e-6, else InputError.
  NSpherePendulumSolution(Quad G, const std::vector<Quad>& q0, const std::vector<Quad>& xi0)
      : n_(q0.size()), motion_(G, Vec<Quad, 3>{{0, 0, -1}}, Vec<Quad, 3>{{0, 0, 0}}) {
    const RotationPlanes planes(static_cast<int>(n_));
    std::vector<Quad> v(n_);
    Quad size = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      size += q0[i] * q0[i];
      for (std::size_t j = i + 1; j < n_; ++j) {
        const Quad xi =
            xi0[static_cast<std::size_t>(planes(static_cast<int>(i), static_cast<int>(j)))];
        v[j] += xi * q0[i];
        v[i] -= xi * q0[j];
      }
    }
    const std::vector<Quad> tangent = wedge(q0, v);
    Quad off = abs(size - 1);
    Quad scale = 1;
    for (std::size_t k = 0; k < tangent.size(); ++k) {
      off = max(off, abs(tangent[k] - xi0[k]));
      scale = max(scale, abs(xi0[k]));
    }
    if (!(off <= Quad(1e-6) * scale))
      throw InputError("the closed solution needs |q| = 1 and xi = q ^ v, along the sphere");

    a_ = direction(q0, {});
    const std::vector<Quad> first = a_.empty() ? direction(v, {}) : a_;
    const std::vector<Quad> second = direction(v, first);
    a_ = first.empty() ? std::vector<Quad>(n_) : first;
    b_ = second.empty() ? std::vector<Quad>(n_) : second;
    const Vec<Quad, 3> x{{dot(a_, q0), dot(b_, q0), q0.back()}};
    const Vec<Quad, 3> x_dot{{dot(a_, v), dot(b_, v), v.back()}};
    motion_ = SphericalPendulumSolution(G, x, cross(x, x_dot));
  }

  FrameMotion at(Quad t) const {
    const auto [x, omega] = motion_.at(t);
    const std::vector<Quad> q = lifted(x);
    return {q, wedge(q, lifted(cross(omega, x)))};
  }

 private:
  static Quad dot(const std::vector<Quad>& x, const std::vector<Quad>& y) {
    Quad sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  }

  /// The unit vector along the horizontal part of x normal to `other`; empty where there is none.
  static std::vector<Quad> direction(std::vector<Quad> x, const std::vector<Quad>& other) {
    const Quad whole = dot(x, x);
    x.back() = 0;
    for (int twice = 0; twice < 2 && !other.empty(); ++twice) {
      const Quad along = dot(x, other);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * other[i];
    }
    const Quad size = dot(x, x);
    if (!(size > Quad(1e-60) * whole)) return {};
    for (Quad& e : x) e = e / sqrt(size);
    return x;
  }

  std::vector<Quad> lifted(const Vec<Quad, 3>& x) const {
    std::vector<Quad> to(n_);
    for (std::size_t i = 0; i < n_; ++i) to[i] = x[0] * a_[i] + x[1] * b_[i];
    to.back() = x[2];
    return to;
  }

  std::size_t n_;
  std::vector<Quad> a_, b_;
  SphericalPendulumSolution motion_;
};

}  // namespace hamel
