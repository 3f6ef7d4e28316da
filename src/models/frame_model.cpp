// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/frame_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "frame_algebra.hpp"
#include "hamel/core/error.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"

namespace hamel {

FrameModel FrameModel::with_variables(std::vector<std::string> coordinates, int quasi_velocities,
                                      int fields) {
  FrameModel model;
  model.graph = std::make_shared<ExpressionGraph>();
  model.coordinates = std::move(coordinates);
  for (std::size_t b = 0; b < model.coordinates.size(); ++b)
    model.q.push_back(model.graph->input());
  for (std::size_t b = 0; b < model.coordinates.size(); ++b)
    model.v.push_back(model.graph->input());
  for (int i = 0; i < quasi_velocities; ++i) model.xi.push_back(model.graph->input());
  for (int i = 0; i < fields; ++i) model.p.push_back(model.graph->input());
  model.t = model.graph->input();
  model.frame.assign(static_cast<std::size_t>(fields), Expressions(model.coordinates.size()));
  return model;
}

Expression FrameModel::parameter(std::string name, double nominal) {
  parameters.push_back(std::move(name));
  return graph->parameter(nominal);
}

template <class Visit>
void FrameModel::each(const Visit& visit) {
  const auto all = [&](Expressions& list) {
    for (Expression& e : list) visit(e);
  };
  for (Expressions* list : {&q, &v, &xi, &p, &force}) all(*list);
  for (auto* rows : {&frame, &complement})
    for (Expressions& row : *rows) all(row);
  visit(t);
  visit(lagrangian);
  if (in_velocities) visit(*in_velocities);
  for (Bracket& bracket : brackets) visit(bracket.value);
  for (FrameInvariant& invariant : invariants) visit(invariant.value);
  for (FrameInput& input : inputs) {
    visit(input.symbol);
    if (input.law) visit(*input.law);
  }
}

Expressions FrameModel::closed(std::span<const Expression> f,
                               std::span<const Expression> velocity) const {
  Expressions symbols;
  Expressions laws;
  for (const FrameInput& input : inputs) {
    if (!input.is_continuous()) continue;
    symbols.push_back(input.symbol);
    laws.push_back(*input.law);
  }
  if (symbols.empty()) return {f.begin(), f.end()};
  return substituted(f, symbols, substituted(laws, v, velocity));
}

bool FrameModel::is_timed() const {
  Expressions changing = {t};
  for (const FrameInput& input : inputs)
    if (input.law || input.of_time) changing.push_back(input.symbol);
  return depends_on(lagrangian, changing);
}

FrameModel FrameModel::copy() const {
  FrameModel own = *this;
  own.graph = std::make_shared<ExpressionGraph>(*graph);
  own.each([&](Expression& e) { e = e.in(*own.graph); });
  return own;
}

void FrameModel::substitute(const Expressions& from, const Expressions& to) {
  Expressions all;
  each([&](Expression& e) { all.push_back(e); });
  all = substituted(all, from, to);
  auto next = all.begin();
  each([&](Expression& e) { e = *next++; });
}

FrameModel FrameModel::specialised(std::span<const double> numbers) const {
  FrameModel own = copy();
  Expressions from;
  Expressions to;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    from.push_back(own.graph->parameter_at(static_cast<int>(i)));
    to.emplace_back(numbers[i]);
  }
  for (const FrameInput& input : own.inputs) {
    if (!input.is_held()) continue;
    const double i = static_cast<double>(from.size());
    from.push_back(input.symbol);
    to.push_back(1.5 + 0.5 * sin((1.0 + i / 3.0) * own.t + i));
  }
  own.substitute(from, to);
  own.parameters.clear();
  if (exact)
    own.exact = [whole = exact, list = std::vector<double>(numbers.begin(), numbers.end())](
                    std::span<const double>, const auto& q0, const auto& xi0) {
      return whole(list, q0, xi0);
    };
  return own;
}

std::vector<std::string> FrameModel::free_parameters() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!graph->pinned(static_cast<int>(i))) names.push_back(parameters[i]);
  return names;
}

std::size_t FrameModel::parameter_index(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(parameters, name) - parameters.begin());
}

std::vector<double> FrameModel::nominal() const {
  std::vector<double> values;
  for (int i = 0; i < static_cast<int>(parameters.size()); ++i)
    values.push_back(static_cast<double>(graph->parameter_at(i).nominal()));
  return values;
}

Expressions FrameModel::variables() const {
  Expressions list = q;
  const auto free = admissible();
  list.insert(list.end(), free.begin(), free.end());
  list.push_back(t);
  return list;
}

bool FrameModel::coordinate_frame() const {
  if (frame.size() != coordinates.size()) return false;
  for (std::size_t i = 0; i < frame.size(); ++i)
    for (std::size_t b = 0; b < frame[i].size(); ++b)
      if (!frame[i][b].is_constant(i == b ? 1 : 0)) return false;
  return true;
}

bool FrameModel::constant_frame() const {
  for (const auto& row : frame)
    for (const auto& entry : row)
      if (depends_on(entry, q)) return false;
  return true;
}

namespace {

/// An orthonormal basis of what k rows of length n span, by Gram–Schmidt with the largest remainder
/// first.
std::vector<std::vector<double>> span_of(std::vector<std::vector<double>> rows) {
  std::vector<std::vector<double>> basis;
  double largest = 0.0;
  const auto length = [](const std::vector<double>& row) {
    double sum = 0.0;
    for (const double x : row) sum += x * x;
    return std::sqrt(sum);
  };
  for (auto& row : rows) {  // each field has its own unit: compare directions only
    const double size = length(row);
    if (size > 0.0)
      for (double& x : row) x /= size;
  }
  while (!rows.empty()) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (length(rows[i]) > length(rows[best])) best = i;
    const double size = length(rows[best]);
    largest = std::fmax(largest, size);
    if (!(size > 1e-10 * largest)) break;
    for (double& x : rows[best]) x /= size;
    basis.push_back(std::move(rows[best]));
    const std::vector<double>& pivot = basis.back();
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(best));
    for (auto& row : rows) {
      double along = 0.0;
      for (std::size_t b = 0; b < row.size(); ++b) along += row[b] * pivot[b];
      for (std::size_t b = 0; b < row.size(); ++b) row[b] -= along * pivot[b];
    }
  }
  return basis;
}

int rank_of(const std::vector<std::vector<double>>& rows) {
  return static_cast<int>(span_of(rows).size());
}

/// A vector normal to all that an orthonormal basis of fewer vectors than dimensions spans, its
/// largest entry 1: the axis that is farthest from the span, without its part in it.
std::vector<double> normal_to(const std::vector<std::vector<double>>& basis, std::size_t m) {
  std::vector<double> normal;
  double longest = 0.0;
  for (std::size_t k = 0; k < m; ++k) {
    std::vector<double> rest(m);
    rest[k] = 1.0;
    for (const auto& b : basis)
      for (std::size_t i = 0; i < m; ++i) rest[i] -= b[k] * b[i];
    if (!(rest[k] > longest)) continue;  // its length squared
    longest = rest[k];
    for (double& x : rest) x /= longest;
    normal = std::move(rest);
  }
  return normal;
}

/// Why there are no equations of motion: ∂p/∂ξ has a kernel at the initial state.
std::string no_inertia(const FrameModel& model, const std::vector<std::vector<double>>& mass) {
  const auto span = span_of(mass);
  std::string text = "the kinetic matrix is singular at the initial state: its rank is " +
                     std::to_string(span.size()) + " of " + std::to_string(mass.size());
  const std::vector<double> kernel = normal_to(span, mass.size());
  std::string names;
  std::string numbers;
  int parts = 0;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    if (std::fabs(kernel[i]) < 1e-8) continue;
    char number[32];
    std::snprintf(number, sizeof number, "%.4g", kernel[i]);
    names += (parts > 0 ? ", " : "") + (model.coordinate_frame() ? model.coordinates[i] + "_dot"
                                                                 : "xi" + std::to_string(i + 1));
    numbers += (parts > 0 ? ", " : "") + std::string(number);
    ++parts;
  }
  constexpr int readable = 6;
  if (parts == 1) return text + "; " + names + " has no inertia";
  if (parts <= readable)
    return text + "; the direction (" + names + ") = (" + numbers + ") has no inertia";
  return text + "; some direction has no inertia";
}

std::vector<std::vector<double>> values_of(const FrameModel& model,
                                           const std::vector<Expressions>& rows,
                                           const std::vector<double>& q) {
  Expressions flat;
  for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  Evaluator<double> evaluate(Program(model.q, flat));
  std::vector<double> out(flat.size());
  evaluate(q.data(), out.data());
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < rows.size(); ++i)
    values.emplace_back(out.begin() + static_cast<std::ptrdiff_t>(i * model.q.size()),
                        out.begin() + static_cast<std::ptrdiff_t>((i + 1) * model.q.size()));
  return values;
}

/// The rows at points where nothing is special; fewer where they are not finite.
std::vector<std::vector<std::vector<double>>> general_values(const FrameModel& model,
                                                             const std::vector<Expressions>& rows) {
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> uniform(0.1, 0.9);
  std::vector<std::vector<std::vector<double>>> samples;
  for (int sample = 0; sample < 8; ++sample) {
    std::vector<double> q(model.q.size());
    for (double& x : q) x = uniform(random);
    auto values = values_of(model, rows, q);
    bool finite = true;
    for (const auto& row : values)
      for (const double x : row) finite = finite && std::isfinite(x);
    if (finite) samples.push_back(std::move(values));
  }
  return samples;
}

/// The part of the last row (a unit vector) that is orthogonal to the others; they are independent.
double distance_to_others(std::vector<std::vector<double>> rows) {
  const auto product = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const double size = product(rows[i], rows[i]);
    if (!(size > 0.0)) return 0.0;
    for (std::size_t k = i + 1; k < rows.size(); ++k) {
      const double along = product(rows[k], rows[i]) / size;
      for (std::size_t b = 0; b < rows[k].size(); ++b) rows[k][b] -= along * rows[i][b];
    }
  }
  return std::sqrt(product(rows.back(), rows.back()));
}

}  // namespace

int frame_rank(const FrameModel& model, const std::vector<double>& q) {
  return rank_of(values_of(model, model.frame, q));
}

void mark_redundancy(FrameModel& model) {
  int rank = 0;
  const auto samples = general_values(model, model.frame);
  for (const auto& rows : samples) rank = std::max(rank, rank_of(rows));
  model.redundant = !samples.empty() && rank < model.fields();
}

void complete_frame(FrameModel& model) {
  const std::size_t N = model.q.size();
  if (model.redundant || model.brackets_given || (model.quasi && model.xi.size() != N)) return;
  std::vector<Expressions> rows = all_rows(model);
  if (rows.size() + 1 == N && N <= most_for_cofactors) {
    model.complement.push_back(cofactor_form(rows, N));
    model.completed.emplace_back("the cross product of the others");
    return;
  }
  while (rows.size() < N) {
    int best = -1;
    double farthest = 1e-10;
    for (std::size_t b = 0; b < N; ++b) {
      Expressions unit(N);
      unit[b] = 1.0;
      rows.push_back(unit);
      double nearest = 1.0;  // over the samples
      for (const auto& values : general_values(model, rows))
        nearest = std::fmin(nearest, distance_to_others(values));
      rows.pop_back();
      if (nearest <= farthest) continue;
      farthest = nearest;
      best = static_cast<int>(b);
    }
    if (best < 0) return;
    Expressions unit(N);
    unit[static_cast<std::size_t>(best)] = 1.0;
    rows.push_back(unit);
    model.complement.push_back(unit);
    model.completed.push_back(
        std::string("d/d").append(model.coordinates[static_cast<std::size_t>(best)]));
  }
}

FrameEquations checked_equations(const FrameModel& model, const std::vector<double>& q,
                                 const std::vector<double>& xi) {
  const int m = model.fields();
  for (const auto& row : values_of(model, model.frame, q))
    for (const double x : row)
      if (!std::isfinite(x)) throw InputError("the frame is not finite at the initial state");
  const int rank = frame_rank(model, q);
  const std::string redundant = "the frame is redundant: its " + std::to_string(m) +
                                " fields span only " + std::to_string(rank) +
                                " dimensions at the initial state";
  if (rank < m && !model.quasi)
    throw InputError(redundant +
                     ", so the quasi-velocities are not determined by the velocity; leave "
                     "out fields, or give `quasi_lagrangian` with `brackets`");
  if (rank < m && !model.brackets_given)
    throw InputError(redundant +
                     "; its brackets cannot be found by differentiation (a projection would give "
                     "wrong dynamics): give `brackets`");
  if (model.quasi && !model.brackets_given && !model.complement.empty()) {
    const std::vector<Expressions> all = all_rows(model);
    if (rank_of(values_of(model, all, q)) < static_cast<int>(all.size()))
      throw InputError(
          "the frame with its complement is redundant at the initial state; give "
          "`brackets`, or an independent complement");
  }

  FrameEquations e = frame_equations(model);
  const auto admissible = model.admissible();
  Expressions outputs = jacobian(e.momentum, admissible);
  outputs.insert(outputs.end(), e.momentum.begin(), e.momentum.end());
  outputs.insert(outputs.end(), e.rate.begin(), e.rate.end());
  outputs.insert(outputs.end(), e.force.begin(), e.force.end());
  outputs.push_back(e.energy);
  std::vector<double> in = q;
  in.insert(in.end(), xi.begin(), xi.end());
  in.push_back(0.0);
  std::vector<double> out(outputs.size());
  Evaluator<double>(Program(model.variables(), outputs))(in.data(), out.data());
  for (const double x : out)
    if (!std::isfinite(x))
      throw InputError("the equations of motion are not finite at the initial state");
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < m; ++i)
    rows.emplace_back(out.begin() + std::ptrdiff_t{i} * m, out.begin() + std::ptrdiff_t{i + 1} * m);
  if (rank_of(rows) < m) throw InputError(no_inertia(model, rows));
  return e;
}

}  // namespace hamel
