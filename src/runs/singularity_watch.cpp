// SPDX-License-Identifier: BSD-3-Clause

#include "singularity_watch.hpp"

#include <algorithm>
#include <cmath>

#include "hamel/models/frame_equations.hpp"
#include "hamel/solve/dense.hpp"

namespace hamel {

namespace {
std::size_t index(int i) { return static_cast<std::size_t>(i); }
constexpr int most_halvings = 10;
/// cos² of the turn above which the way is halved.
constexpr double safe_turn = 0.25;
/// Not ½: symmetric ways have their singular point in the middle, where no side tells its sign.
constexpr double cut = 0.4637;
}  // namespace

SingularityWatch::SingularityWatch(const FrameModel& model, const FrameEquations& e)
    : N_(model.coordinates_count()),
      m_(model.fields()),
      watched_(!model.redundant && !model.constant_frame()),
      square_(model.fields() == model.coordinates_count()) {
  const auto xi = model.admissible();
  kinetic_ = Evaluator<double>(Program(model.variables(), jacobian(e.momentum, xi)));
  Expressions rows;
  for (const auto& row : model.frame) rows.insert(rows.end(), row.begin(), row.end());
  frame_ = Evaluator<double>(Program(model.q, rows));
  in_.resize(index(N_ + m_ + 1));
  matrix_.resize(index(m_ * m_));
  rows_a_.resize(index(m_ * N_));
  rows_b_.resize(index(m_ * N_));
  last_.resize(index(N_));
  middle_.assign(most_halvings, std::vector<double>(index(N_)));
  pivot_.resize(index(m_));
}

int SingularityWatch::sign() noexcept {
  return lu_factor(matrix_.data(), m_, pivot_.data()) ? lu_sign(matrix_.data(), m_, pivot_.data())
                                                      : 0;
}

double SingularityWatch::determinant() noexcept {
  double product = sign();
  for (int i = 0; i < m_; ++i) product *= std::fabs(matrix_[index(i * m_ + i)]);
  return product;
}

void SingularityWatch::unit_rows(const double* q, std::vector<double>& rows) noexcept {
  frame_(q, rows.data());
  for (int i = 0; i < m_; ++i) {
    double* row = rows.data() + i * N_;
    double largest = 0.0;
    for (int c = 0; c < N_; ++c) largest = std::fmax(largest, std::fabs(row[c]));
    if (!(largest > 0.0)) continue;
    double sum = 0.0;
    for (int c = 0; c < N_; ++c) {
      row[c] /= largest;
      sum += row[c] * row[c];
    }
    for (int c = 0; c < N_; ++c) row[c] /= std::sqrt(sum);
  }
}

int SingularityWatch::mass_sign(const double* q, const double* xi, double t) noexcept {
  std::copy(q, q + N_, in_.begin());
  std::copy(xi, xi + m_, in_.begin() + N_);
  in_[index(N_ + m_)] = t;
  kinetic_(in_.data(), matrix_.data());
  return sign();
}

int SingularityWatch::orientation(const double* a, const double* b, int halvings) noexcept {
  unit_rows(a, rows_a_);
  unit_rows(b, rows_b_);
  const auto gram = [&](const std::vector<double>& x, const std::vector<double>& y) {
    for (int i = 0; i < m_; ++i)
      for (int j = 0; j < m_; ++j) {
        double sum = 0.0;
        for (int c = 0; c < N_; ++c) sum += x[index(i * N_ + c)] * y[index(j * N_ + c)];
        matrix_[index(i * m_ + j)] = sum;
      }
    return determinant();
  };
  const double across = gram(rows_a_, rows_b_);
  const int turned = across > 0.0 ? 1 : -1;
  if (square_ || halvings == 0) return turned;
  const double volumes = gram(rows_a_, rows_a_) * gram(rows_b_, rows_b_);
  if (!std::isfinite(volumes)) return 1;  // tells nothing
  if (turned > 0 && across * across >= safe_turn * volumes) return 1;
  double* middle = middle_[index(halvings - 1)].data();
  for (int c = 0; c < N_; ++c) middle[c] = a[c] + cut * (b[c] - a[c]);
  const int first = orientation(a, middle, halvings - 1);
  return first * orientation(middle, b, halvings - 1);
}

void SingularityWatch::start(const double* q, const double* xi, double t) noexcept {
  mass_ = mass_sign(q, xi, t);
  std::copy(q, q + N_, last_.begin());
}

SingularityWatch::Change SingularityWatch::operator()(const double* q, const double* xi,
                                                      double t) noexcept {
  if (mass_sign(q, xi, t) != mass_) return Change::kinetic_matrix;
  if (watched_ && orientation(last_.data(), q, most_halvings) < 0) return Change::frame;
  std::copy(q, q + N_, last_.begin());
  return Change::none;
}

}  // namespace hamel
