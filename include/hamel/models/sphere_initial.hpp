// SPDX-License-Identifier: BSD-3-Clause
// Initial data on the sphere, as a user writes them, checked and completed.
//
//   q, omega          in space: unit vector and angular velocity, ω·q = 0;
//   Gamma, Omega      in the body, as in D0 §VII: Γ = Rᵀe3 and (Ω1, Ω2), Ω3 = 0.
// Γ is not the bob's path: the attitude must be chosen to have one,
//   rows of R0 = (b1, Γ0×b1, Γ0),  b1 = unit(e1 − Γ0(Γ0·e1)),  q0 = R0e3,  ω0 = R0Ω0.    [MATH 5.3]
#pragma once

#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/core/parameters.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/models/initial_values.hpp"
#include "hamel/models/sphere_system.hpp"

namespace hamel {

/// One way to give the initial state: all of these fields.
using InitialForm = std::span<const InitialField>;

namespace detail {

inline constexpr InitialField space_form[] = {
    {"q", 3, "1", "unit vector from the pivot to the bob, e3 up"},
    {"omega", 3, "rad/s", "angular velocity in space, normal to q"}};
inline constexpr InitialField body_form[] = {
    {"Gamma", 3, "1", "vertical unit vector seen from the body"},
    {"Omega", 2, "rad/s", "angular velocity in the body; its third component is 0"}};

inline constexpr double tolerated = 1e-6;  // larger defects are mistakes, not rounding
inline constexpr double silent = 1e-14;    // smaller ones are rounding of the user's decimals

/// The unit vector called `name`: normalised with a note when off by < 1e-6, refused beyond.
inline Vec<double, 3> unit_vector(const InitialValues& given, const std::string& name,
                                  std::vector<std::string>& notes) {
  const std::vector<double>& x = given.values.at(name);
  const Vec<double, 3> v{{x[0], x[1], x[2]}};
  const double defect = length_defect(v);
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", defect);
  if (!(std::fabs(defect) < tolerated))
    throw InputError("initial." + name + " must be a unit vector; its length is " +
                     std::to_string(norm(v)) + ", and at most 1e-6 off is mended");
  if (defect == 0.0 || !given.normalise) return v;
  if (std::fabs(defect) > silent)
    notes.push_back("initial." + name + " has length 1 + (" + text +
                    "): normalised (initial.normalise = false keeps it)");
  return normalised(v);
}

}  // namespace detail

/// What every system on one sphere shares; a system type inherits it.
struct OnSphere {
  using Initial = SphereInitial<double>;
  static constexpr InitialForm initial_forms[] = {detail::space_form};

  static Initial initial(int /*form*/, const InitialValues& given,
                         std::vector<std::string>& notes) {
    Initial start;
    start.q = detail::unit_vector(given, "q", notes);
    const std::vector<double>& w = given.values.at("omega");
    start.omega = {{w[0], w[1], w[2]}};
    const double off = dot(start.q, start.omega);
    const double scale = std::fmax(1.0, norm(start.omega));
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", off);
    if (!(std::fabs(off) < detail::tolerated * scale))
      throw InputError("initial.omega must be normal to q; omega·q = " + std::string(text) +
                       ", and at most 1e-6 is mended");
    if (off != 0.0 && given.normalise) {
      if (std::fabs(off) > detail::silent * scale)
        notes.push_back("initial.omega·q = " + std::string(text) +
                        ": omega projected to the tangent plane");
      start.omega = tangent_part(start.q, start.omega);
    }
    return start;
  }
};

/// The bob and its attitude from body data, in scalar S; |Γ| = 1.                     [MATH 5.3]
template <class S>
SphereInitial<S> from_body(const Vec<S, 3>& Gamma, const Vec<S, 2>& Omega) {
  const int axis = abs(Gamma[0]) < S(0.9) ? 0 : 1;  // b1 from e1, or from e2 where Γ ∥ e1
  Vec<S, 3> e{{S(0.0), S(0.0), S(0.0)}};
  e[axis] = S(1.0);
  const Vec<S, 3> b1 = normalised(e - Gamma[axis] * Gamma);
  const Vec<S, 3> b2 = cross(Gamma, b1);
  SphereInitial<S> start;
  start.body = true;
  start.Gamma = Gamma;
  start.Omega = Omega;
  start.q = {{b1[2], b2[2], Gamma[2]}};
  start.r1 = {{b1[0], b2[0], Gamma[0]}};
  const Vec<S, 3> r2{{b1[1], b2[1], Gamma[1]}};
  start.omega = Omega[0] * start.r1 + Omega[1] * r2;
  return start;
}

/// The data in a wider scalar, on the sphere to that scalar's round-off: what double data mean.
/// Data that were kept off the sphere on purpose stay as they are.
template <class S>
SphereInitial<S> refined(const SphereInitial<double>& given) {
  SphereInitial<S> start = given.as<S>();
  if (!(abs(length_defect(given.q)) <= 1e-12)) return start;
  if (given.body) return from_body(normalised(start.Gamma), start.Omega);
  start.q = normalised(start.q);
  start.omega = tangent_part(start.q, start.omega);
  return start;
}

/// The same with body data as a second form, for systems in a uniform field.
struct OnSphereWithBody : OnSphere {
  static constexpr InitialForm initial_forms[] = {detail::space_form, detail::body_form};

  static Initial initial(int form, const InitialValues& given, std::vector<std::string>& notes) {
    if (form == 0) return OnSphere::initial(form, given, notes);
    const Vec<double, 3> Gamma = detail::unit_vector(given, "Gamma", notes);
    const std::vector<double>& w = given.values.at("Omega");
    Initial start = from_body(normalised(Gamma), Vec<double, 2>{{w[0], w[1]}});
    if (!given.normalise) {  // a kept length is that of Γ and of q
      start.Gamma = Gamma;
      start.q = norm(Gamma) * start.q;
    }
    return start;
  }
};

}  // namespace hamel
