// SPDX-License-Identifier: BSD-3-Clause
// The structure functions of a frame as numbers, c_ij^k at a point: as given, or from
//   [u_i, u_j] = c_ij^k u_k,    (ψᵀψ)c = ψᵀ[u_i, u_j], [MATH 1.1]
// in Quad, so that what is not zero can be told.
#include <algorithm>
#include <map>
#include <tuple>

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "hamel/runs/frame_brackets.hpp"
#include "hamel/solve/dense.hpp"

namespace hamel {

namespace {

constexpr double zero = 1e-25;  ///< round-off of Quad in the solution of a small linear system

std::vector<Quad> values_at(const std::vector<double>& q, const FrameModel& model,
                            const Expressions& formulas) {
  const std::vector<Quad> in(q.begin(), q.end());
  std::vector<Quad> out(formulas.size());
  Evaluator<Quad>(Program(model.q, formulas))(in.data(), out.data());
  return out;
}

std::vector<BracketValue> given_values(const FrameModel& model, const std::vector<double>& q) {
  Expressions formulas;
  for (const Bracket& bracket : model.brackets) formulas.push_back(bracket.value);
  const std::vector<Quad> values = values_at(q, model, formulas);
  std::map<std::tuple<int, int, int>, Quad> sums;
  for (std::size_t b = 0; b < values.size(); ++b) {
    const auto& [i, j, k, value] = model.brackets[b];
    sums[{std::min(i, j), std::max(i, j), k}] += i < j ? values[b] : -values[b];
  }
  std::vector<BracketValue> list;
  for (const auto& [at, value] : sums)
    if (const auto [i, j, k] = at; i != j && abs(value) > Quad(zero))
      list.push_back({i, j, k, static_cast<double>(value)});
  return list;
}

}  // namespace

std::optional<FrameBrackets> bracket_values(const FrameModel& given, const std::vector<double>& q) {
  FrameBrackets found;
  const std::size_t N = given.q.size();
  if (given.brackets_given) {
    found.values = given_values(given, q);
    return found;
  }
  if (given.redundant) return std::nullopt;
  FrameModel model = given;
  complete_frame(model);
  found.completed = model.completed;
  const int fields =
      given.fields() + static_cast<int>(given.complement.size() - given.completed.size());
  found.fields = fields;
  std::vector<Expressions> rows = model.frame;
  rows.insert(rows.end(), model.complement.begin(), model.complement.end());

  Expressions formulas;
  for (const auto& row : rows) formulas.insert(formulas.end(), row.begin(), row.end());
  for (int i = 0; i < fields; ++i)
    for (int j = i + 1; j < fields; ++j) {
      const Expressions own = bracket(model, i, j);
      formulas.insert(formulas.end(), own.begin(), own.end());
    }
  const std::vector<Quad> values = values_at(q, model, formulas);
  const auto along = [&](std::size_t row, const Quad* vector) {
    Quad sum = 0;
    for (std::size_t b = 0; b < N; ++b) sum += values[row * N + b] * vector[b];
    return sum;
  };
  const std::size_t n = rows.size();
  std::vector<Quad> gram(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) gram[i * n + j] = along(i, values.data() + j * N);
  std::vector<int> pivot(n);
  if (!lu_factor(gram.data(), static_cast<int>(n), pivot.data())) return std::nullopt;
  std::vector<Quad> c(n);
  const Quad* own = values.data() + n * N;  // the next bracket
  for (int i = 0; i < fields; ++i)
    for (int j = i + 1; j < fields; ++j, own += N) {
      for (std::size_t k = 0; k < n; ++k) c[k] = along(k, own);
      lu_solve(gram.data(), static_cast<int>(n), pivot.data(), c.data());
      for (std::size_t k = 0; k < n; ++k)
        if (abs(c[k]) > Quad(zero))
          found.values.push_back({i, j, static_cast<int>(k), static_cast<double>(c[k])});
    }
  return found;
}

}  // namespace hamel
