// SPDX-License-Identifier: BSD-3-Clause
// The kernels as nvcc sees them: the same headers, host and device code. Compiled, not run.
#include "hamel/methods/hamel.hpp"
#include "hamel/methods/rattle.hpp"
#include "hamel/methods/variational.hpp"
#include "hamel/methods/verlet.hpp"

struct DevicePendulum {
  double g_over_r;
  HAMEL_FN double inertia() const { return 1.0; }
  HAMEL_FN double field_strength() const { return g_over_r; }
  template <class S>
  HAMEL_FN S potential(const hamel::Vec<S, 3>& q) const {
    return S(g_over_r) * q[2];
  }
};

template <template <class, class, hamel::Summation> class Step, class Method>
__global__ void advance(double* q, int steps) {
  const Step<DevicePendulum, double, hamel::Summation::plain> step(Method{}, DevicePendulum{1.0},
                                                                   0.2, hamel::SolverOptions{});
  hamel::SphereInitial<double> start;
  const int i = 3 * static_cast<int>(threadIdx.x);
  start.q = {{q[i], q[i + 1], q[i + 2]}};
  start.omega = {{0.0, 0.0, 0.0}};
  auto state = step.start(start);
  for (int n = 0; n < steps; ++n) step.step(state);
  for (int c = 0; c < 3; ++c) q[i + c] = state.q.value[c];
}

template __global__ void advance<hamel::HamelStep, hamel::Hamel>(double*, int);
template __global__ void advance<hamel::VariationalStep, hamel::Variational>(double*, int);
template __global__ void advance<hamel::RattleStep, hamel::Rattle>(double*, int);
template __global__ void advance<hamel::VerletStep, hamel::Verlet>(double*, int);
