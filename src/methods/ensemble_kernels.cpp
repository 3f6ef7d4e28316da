// SPDX-License-Identifier: BSD-3-Clause
// The ensemble kernels for one instruction set; compiled as lane_kernels.cpp is.
#include "hamel/kernels/lanes/ensemble_kernels.hpp"

#include "hamel/kernels/lanes/chain_lanes.hpp"
#include "hamel/kernels/lanes/equation_lanes.hpp"
#include "hamel/kernels/lanes/explicit_lanes.hpp"
#include "hamel/kernels/lanes/sphere_lanes.hpp"
#include "hamel/kernels/lanes/spheres_hamel_lanes.hpp"
#include "hamel/kernels/lanes/uncoupled_variational_lanes.hpp"
#include "hamel/methods/hamel.hpp"
#include "hamel/methods/variational.hpp"

#define HAMEL_NAME_OF(isa) ensemble_##isa
#define HAMEL_NAME(isa) HAMEL_NAME_OF(isa)

namespace hamel_lanes {

using hamel::Summation;
using hamel::lanes::sphere_steps;

extern const EnsembleKernels HAMEL_NAME(HAMEL_ISA);
constinit const EnsembleKernels HAMEL_NAME(HAMEL_ISA) = {
    {sphere_steps<hamel::HamelStep, Summation::plain>,
     sphere_steps<hamel::HamelStep, Summation::compensated>},
    {sphere_steps<hamel::HamelBodyStep, Summation::plain>,
     sphere_steps<hamel::HamelBodyStep, Summation::compensated>},
    {sphere_steps<hamel::VariationalStep, Summation::plain>,
     sphere_steps<hamel::VariationalStep, Summation::compensated>},
    {hamel::lanes::chain_steps, nullptr},
    {hamel::lanes::equation_steps, nullptr},
    {hamel::lanes::spheres_hamel_steps, nullptr},
    {hamel::lanes::uncoupled_variational_steps, nullptr},
    {hamel::lanes::explicit_steps, nullptr}};

}  // namespace hamel_lanes
