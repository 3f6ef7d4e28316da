// SPDX-License-Identifier: BSD-3-Clause
// Every kernel in every scalar, for compilers of other machines. Compiled, not run.
#include "hamel/autodiff/dual.hpp"
#include "hamel/core/pack.hpp"
#include "hamel/methods/gauss.hpp"
#include "hamel/methods/hamel.hpp"
#include "hamel/methods/hamel4.hpp"
#include "hamel/methods/rattle.hpp"
#include "hamel/methods/rk4.hpp"
#include "hamel/methods/spherical_coordinates.hpp"
#include "hamel/methods/variational.hpp"
#include "hamel/methods/verlet.hpp"
#include "hamel/systems/spherical_pendulum.hpp"

namespace hamel {
constexpr auto plain = Summation::plain;
template class HamelStep<SphericalPendulum, double, plain>;
template class HamelStep<SphericalPendulum, Pack<double, 8>, plain>;
template class HamelStep<SphericalPendulum, Dual<double, 4>, plain>;
template class HamelBodyStep<SphericalPendulum, long double, plain>;
template class VariationalStep<SphericalPendulum, Pack<double, 4>, Summation::compensated>;
template class Hamel4Step<SphericalPendulum, Quad, plain>;
template class GaussStep<SphericalPendulum, Quad, plain>;
template class RattleStep<SphericalPendulum, double, plain>;
template class VerletStep<SphericalPendulum, double, plain>;
template class Rk4Step<SphericalPendulum, double, plain>;
template class SphericalCoordinatesStep<SphericalPendulum, double, plain>;
}  // namespace hamel
