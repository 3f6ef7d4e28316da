// SPDX-License-Identifier: BSD-3-Clause
// Initial states of frame systems: q with ξ, v or p.
#include <cmath>
#include <cstdio>

#include "hamel/core/error.hpp"
#include "hamel/models/momentum_inverse.hpp"
#include "hamel/runs/frame_problem.hpp"

namespace hamel {

std::vector<std::vector<InitialField>> frame_initial_forms(int coordinates, int fields) {
  const InitialField q{"q", coordinates, "", "coordinates"};
  return {{q, {"xi", fields, "", "quasi-velocities"}},
          {q, {"v", coordinates, "", "velocities, in the span of the frame"}},
          {q, {"p", fields, "", "momenta in the frame"}}};
}

namespace {

/// The fields at q, row by row.
std::vector<double> fields_at(const FrameModel& model, const std::vector<double>& q) {
  Expressions flat;
  for (const auto& row : model.frame) flat.insert(flat.end(), row.begin(), row.end());
  std::vector<double> u(flat.size());
  Evaluator<double>(Program(model.q, flat))(q.data(), u.data());
  return u;
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// The shortest ξ with u ξ = v in the sense of least squares, by conjugate gradients; u has one row
/// of N numbers for each ξ.
std::vector<double> shortest_solution(const std::vector<double>& u, std::size_t m,
                                      const std::vector<double>& v) {
  const std::size_t N = v.size();
  std::vector<double> xi(m);
  std::vector<double> rest = v;
  std::vector<double> direction(m);
  double before = 0.0;
  for (std::size_t round = 0; round < 2 * m; ++round) {
    std::vector<double> slope(m);
    double size = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t b = 0; b < N; ++b) slope[i] += u[i * N + b] * rest[b];
      size += slope[i] * slope[i];
    }
    if (!(size > 0.0)) break;
    for (std::size_t i = 0; i < m; ++i)
      direction[i] = slope[i] + (round > 0 ? size / before * direction[i] : 0.0);
    before = size;
    std::vector<double> image(N);
    double length = 0.0;
    for (std::size_t b = 0; b < N; ++b) {
      for (std::size_t i = 0; i < m; ++i) image[b] += direction[i] * u[i * N + b];
      length += image[b] * image[b];
    }
    if (!(length > 0.0)) break;
    for (std::size_t i = 0; i < m; ++i) xi[i] += size / length * direction[i];
    for (std::size_t b = 0; b < N; ++b) rest[b] -= size / length * image[b];
  }
  return xi;
}

/// ξ with ψ(q)ξ = v; refuses what the frame does not admit.
std::vector<double> admitted(const FrameModel& model, const std::vector<double>& q,
                             const std::vector<double>& v, std::vector<std::string>& notes) {
  const std::size_t N = q.size();
  const std::size_t m = model.frame.size();
  const std::vector<double> u = fields_at(model, q);
  std::vector<double> gram(m * m);
  std::vector<double> xi(m);
  std::vector<int> pivot(m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t b = 0; b < N; ++b) {
      xi[i] += u[i * N + b] * v[b];
      for (std::size_t j = 0; j < m; ++j) gram[i * m + j] += u[i * N + b] * u[j * N + b];
    }
  if (model.redundant && model.shortest)
    xi = shortest_solution(u, m, v);
  else if (!lu_factor(gram.data(), static_cast<int>(m), pivot.data()))
    throw InputError(
        "initial.v does not determine the quasi-velocities: the frame is redundant; "
        "give xi");
  else
    lu_solve(gram.data(), static_cast<int>(m), pivot.data(), xi.data());
  double defect = 0.0;
  double scale = 0.0;
  for (std::size_t b = 0; b < N; ++b) {
    double part = 0.0;
    for (std::size_t i = 0; i < m; ++i) part += xi[i] * u[i * N + b];
    defect = std::fmax(defect, std::fabs(v[b] - part));
    scale = std::fmax(scale, std::fabs(v[b]));
  }
  if (!(defect <= 1e-6 * std::fmax(scale, 1e-300)))
    throw InputError("initial.v violates the constraints by " + number(defect) +
                     "; at most 1e-6 of its size is mended. Give xi, or a velocity in the span of "
                     "the frame");
  if (defect > 1e-14 * scale)
    notes.push_back("initial.v violates the constraints by " + number(defect) +
                    ": the admissible part is used");
  return xi;
}

/// The part of ξ that moves q; refuses more of the other part than rounding explains.
void keep_shortest(const FrameModel& model, const std::vector<double>& q, const char* name,
                   std::vector<double>& xi, std::vector<std::string>& notes) {
  const std::vector<double> u = fields_at(model, q);
  std::vector<double> v(q.size());
  for (std::size_t k = 0; k < u.size(); ++k) v[k % q.size()] += xi[k / q.size()] * u[k];
  const std::vector<double> moving = shortest_solution(u, xi.size(), v);
  double off = 0.0;
  double scale = 1.0;
  for (std::size_t i = 0; i < xi.size(); ++i) {
    off = std::fmax(off, std::fabs(xi[i] - moving[i]));
    scale = std::fmax(scale, std::fabs(xi[i]));
  }
  if (!(off <= 1e-6 * scale))
    throw InputError("initial." + std::string(name) + " has a part of size " + number(off) +
                     " that does not move q, and at most 1e-6 is mended; give v instead");
  if (!(off > 1e-14 * scale)) return;
  notes.push_back("initial." + std::string(name) + " has a part of size " + number(off) +
                  " that does not move q: left out");
  xi = moving;
}

}  // namespace

FrameInitial frame_initial(const FrameModel& model, int form, const InitialValues& given,
                           std::vector<std::string>& notes) {
  FrameInitial initial{given.values.at("q"), {}};
  const std::size_t given_fields =
      model.frame.size() + model.complement.size() - model.completed.size();
  for (std::size_t i = 0; i < model.completed.size(); ++i)
    notes.push_back("xi" + std::to_string(given_fields + i + 1) + " has no field; taken along " +
                    model.completed[i] + " (give `complement` for another)");
  if (form == 0) {
    initial.xi = given.values.at("xi");
  } else if (form == 1) {
    initial.xi = admitted(model, initial.q, given.values.at("v"), notes);
  } else {
    initial.xi.assign(model.frame.size(), 0.0);
    MomentumInverse<double> inverse(model, frame_equations(model).momentum);
    if (!inverse(initial.q.data(), given.values.at("p").data(), 0.0, initial.xi.data()))
      throw InputError("initial.p: no quasi-velocities have these momenta");
  }
  if (model.redundant && model.shortest && form != 1)
    keep_shortest(model, initial.q, form == 0 ? "xi" : "p", initial.xi, notes);
  return initial;
}

}  // namespace hamel
