// Initial states of frame systems: q with ξ, v or p.
#include <cmath>
#include <cstdio>

#include "hamel/core/error.hpp"
#include "hamel/integrators/support/momentum_inverse.hpp"
#include "hamel/simulation/frame_problem.hpp"

namespace hamel {

std::vector<std::vector<InitialField>> frame_initial_forms(int coordinates, int fields) {
  const InitialField q{"q", coordinates, "", "coordinates"};
  return {{q, {"xi", fields, "", "quasi-velocities"}},
          {q, {"v", coordinates, "", "velocities, in the span of the frame"}},
          {q, {"p", fields, "", "momenta in the frame"}}};
}

namespace {

/// ξ with ψ(q)ξ = v; refuses what the frame does not admit.
std::vector<double> admitted(const FrameModel& model, const std::vector<double>& q,
                             const std::vector<double>& v, std::vector<std::string>& notes) {
  const std::size_t N = q.size();
  const std::size_t m = model.frame.size();
  Expressions flat;
  for (const auto& row : model.frame) flat.insert(flat.end(), row.begin(), row.end());
  std::vector<double> u(flat.size());
  Evaluator<double>(Program(model.q, flat))(q.data(), u.data());
  std::vector<double> gram(m * m);
  std::vector<double> xi(m);
  std::vector<int> pivot(m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t b = 0; b < N; ++b) {
      xi[i] += u[i * N + b] * v[b];
      for (std::size_t j = 0; j < m; ++j) gram[i * m + j] += u[i * N + b] * u[j * N + b];
    }
  if (!lu_factor(gram.data(), static_cast<int>(m), pivot.data()))
    throw InputError(
        "initial.v does not determine the quasi-velocities: the frame is redundant; "
        "give xi");
  lu_solve(gram.data(), static_cast<int>(m), pivot.data(), xi.data());
  double defect = 0.0;
  double scale = 0.0;
  for (std::size_t b = 0; b < N; ++b) {
    double part = 0.0;
    for (std::size_t i = 0; i < m; ++i) part += xi[i] * u[i * N + b];
    defect = std::fmax(defect, std::fabs(v[b] - part));
    scale = std::fmax(scale, std::fabs(v[b]));
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", defect);
  if (!(defect <= 1e-6 * std::fmax(scale, 1e-300)))
    throw InputError(std::string("initial.v violates the constraints by ") + text +
                     "; at most 1e-6 of its size is mended. Give xi, or a velocity in the span of "
                     "the frame");
  if (defect > 1e-14 * scale)
    notes.push_back(std::string("initial.v violates the constraints by ") + text +
                    ": the admissible part is used");
  return xi;
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
  return initial;
}

}  // namespace hamel
