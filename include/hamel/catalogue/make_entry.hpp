// SPDX-License-Identifier: BSD-3-Clause
// make_entry<System>("name"): a catalogue entry from a system type, on a sphere, on many, or in a
// frame. Works for types outside the library too.
#pragma once

#include "hamel/catalogue/make_frame_entry.hpp"
#include "hamel/catalogue/make_sphere_entry.hpp"
#include "hamel/catalogue/make_spheres_entry.hpp"
