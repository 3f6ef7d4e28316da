// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/spheres_initial.hpp"

#include <cmath>
#include <cstdio>

#include "hamel/core/error.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/sphere.hpp"

namespace hamel {

namespace {

constexpr double tolerated = 1e-6;  // larger defects are mistakes, not rounding
constexpr double silent = 1e-14;    // smaller ones are rounding of the user's decimals

Vec<double, 3> at(const std::vector<double>& list, int i) {
  const auto from = 3 * static_cast<std::size_t>(i);
  return {{list[from], list[from + 1], list[from + 2]}};
}

void put(std::vector<double>& list, int i, const Vec<double, 3>& x) {
  for (int c = 0; c < 3; ++c)
    list[3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(c)] = x[c];
}

std::string entry(const char* name, int i, int n) {
  return "initial." + std::string(name) + (n > 1 ? "[" + std::to_string(i + 1) + "]" : "");
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

}  // namespace

std::vector<std::vector<InitialField>> spheres_initial_forms() {
  const InitialField q{"q", 0, "1", "unit vectors, e3 up"};
  return {{q, {"omega", 0, "rad/s", "angular velocities in space, each normal to its q"}},
          {q, {"v", 0, "1/s", "velocities of the unit vectors"}}};
}

SpheresStart spheres_start(int n, int form, const InitialValues& given,
                           std::vector<std::string>& notes) {
  const char* rate_name = form == 0 ? "omega" : "v";
  SpheresStart start{given.values.at("q"), given.values.at(rate_name)};
  const auto right = 3 * static_cast<std::size_t>(n);
  for (const auto& [name, list] : {std::pair("q", &start.q), std::pair(rate_name, &start.v)})
    if (list->size() != right)
      throw InputError("initial." + std::string(name) + " has " + std::to_string(list->size() / 3) +
                       (list->size() == 3 ? " vector for " : " vectors for ") + std::to_string(n) +
                       (n == 1 ? " sphere" : " spheres"));
  int normalised_count = 0;
  int projected_count = 0;
  std::string first_normalised;
  std::string first_projected;
  for (int i = 0; i < n; ++i) {
    Vec<double, 3> q = at(start.q, i);
    const double defect = length_defect(q);
    if (!(std::fabs(defect) < tolerated))
      throw InputError(entry("q", i, n) + " must be a unit vector; its length is " +
                       std::to_string(norm(q)) + ", and at most 1e-6 off is mended");
    if (given.normalise && defect != 0.0) {
      q = normalised(q);
      if (std::fabs(defect) > silent && ++normalised_count == 1)
        first_normalised = entry("q", i, n) + " has length 1 + (" + number(defect) + ")";
    }
    Vec<double, 3> rate = at(start.v, i);
    const double off = dot(q, rate);
    const double scale = std::fmax(1.0, norm(rate));
    if (!(std::fabs(off) < tolerated * scale))
      throw InputError(entry(rate_name, i, n) + " must be normal to its q; their product is " +
                       number(off) + ", and at most 1e-6 is mended");
    if (given.normalise && off != 0.0) {
      rate = tangent_part(q, rate);
      if (std::fabs(off) > silent * scale && ++projected_count == 1)
        first_projected = entry(rate_name, i, n) + "·q = " + number(off);
    }
    put(start.q, i, q);
    put(start.v, i, form == 0 ? cross(rate, q) : rate);
  }
  const auto others = [](int count) {
    return count > 1 ? " and " + std::to_string(count - 1) + " others" : std::string();
  };
  if (normalised_count > 0)
    notes.push_back(first_normalised + others(normalised_count) +
                    ": normalised (initial.normalise = false keeps it)");
  if (projected_count > 0)
    notes.push_back(first_projected + others(projected_count) + ": projected to the tangent plane");
  return start;
}

SpheresStart uniform_start(int n, const double (&q)[3], const double (&omega)[3]) {
  const Vec<double, 3> at_rest = normalised(Vec<double, 3>{{q[0], q[1], q[2]}});
  const Vec<double, 3> v = cross(Vec<double, 3>{{omega[0], omega[1], omega[2]}}, at_rest);
  SpheresStart start;
  start.q.reserve(3 * static_cast<std::size_t>(n));
  start.v.reserve(3 * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) {
      start.q.push_back(at_rest[c]);
      start.v.push_back(v[c]);
    }
  return start;
}

}  // namespace hamel
