// SPDX-License-Identifier: BSD-3-Clause

#include "frame_shape.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <ranges>
#include <span>

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"

namespace hamel {

namespace {

using Point = std::vector<double>;
using Rows = std::vector<std::vector<double>>;

constexpr int samples = 4;
constexpr double part = 1e-9;  // of a row's size: what is left below that is round-off

/// The span of rows, as an orthonormal basis.
class Span {
 public:
  /// True where the row was not in it; entries below part·size count as zero.
  bool add(const std::vector<double>& row, double size) {
    std::vector<double> rest = outside(row, size);
    if (rest.empty()) return false;
    basis_.push_back(std::move(rest));
    return true;
  }
  bool holds(const std::vector<double>& row, double size) const {
    return outside(row, size).empty();
  }
  const Rows& basis() const { return basis_; }

 private:
  /// The unit vector along what is new in the row; empty where nothing is.
  std::vector<double> outside(std::vector<double> row, double size) const {
    const double whole = norm(row);
    if (!(whole > part * size)) return {};
    for (int again = 0; again < 2; ++again)  // twice: the first pass leaves round-off
      for (const auto& e : basis_) {
        double along = 0.0;
        for (std::size_t i = 0; i < row.size(); ++i) along += e[i] * row[i];
        for (std::size_t i = 0; i < row.size(); ++i) row[i] -= along * e[i];
      }
    const double left = norm(row);
    if (!(left > part * whole)) return {};
    for (double& x : row) x /= left;
    return row;
  }
  static double norm(const std::vector<double>& row) {
    double sum = 0.0;
    for (const double x : row) sum += x * x;
    return std::sqrt(sum);
  }

  Rows basis_;
};

class Probe {
 public:
  Probe(const FrameModel& model, const Point& q, Point xi)
      : model_(model), N_(model.q.size()), m_(model.frame.size()), xi_(std::move(xi)) {
    result_.fields = model.frame;
    points_.push_back(q);
    for (int s = 1; s < samples; ++s) points_.push_back(wandered(q));
    add_brackets();
    find_shape();
  }

  FrameShape result() { return std::move(result_); }

 private:
  Expressions flat() const {
    Expressions all;
    for (const auto& field : result_.fields) all.insert(all.end(), field.begin(), field.end());
    return all;
  }

  /// The fields at q, one row each.
  static Rows values(Evaluator<double>& evaluate, std::size_t count, std::size_t N,
                     const Point& q) {
    std::vector<double> all(count * N);
    evaluate(q.data(), all.data());
    Rows rows;
    for (std::size_t k = 0; k < count; ++k)
      rows.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(k * N),
                        all.begin() + static_cast<std::ptrdiff_t>((k + 1) * N));
    return rows;
  }

  /// Another point of the leaf: along random fields, by the midpoint rule.
  Point wandered(Point q) {
    Evaluator<double> evaluate(Program(model_.q, flat()));
    for (int leg = 0; leg < 4; ++leg) {
      std::vector<double> weights;
      for (std::size_t k = 0; k < m_; ++k) weights.push_back(uniform_(random_));
      Point by(N_);
      for (int sweep = 0; sweep < 60; ++sweep) {
        Point middle = q;
        for (std::size_t b = 0; b < N_; ++b) middle[b] += by[b] / 2;
        const Rows rows = values(evaluate, m_, N_, middle);
        for (std::size_t b = 0; b < N_; ++b) {
          by[b] = 0.0;
          for (std::size_t k = 0; k < m_; ++k) by[b] += weights[k] * rows[k][b];
        }
      }
      if (!std::ranges::all_of(by, [](double x) { return std::isfinite(x); })) break;
      for (std::size_t b = 0; b < N_; ++b) q[b] += by[b];
    }
    return q;
  }

  Expressions bracket(const Expressions& a, const Expressions& b) const {
    Expressions ab = directional(b, model_.q, a);
    const Expressions ba = directional(a, model_.q, b);
    for (std::size_t r = 0; r < N_; ++r) ab[r] = ab[r] - ba[r];
    return ab;
  }

  /// New: no combination with constant coefficients of those there are, at the samples together.
  void add_brackets() {
    constexpr std::size_t most = 128;
    const auto stacked = [&](std::span<const Expression> field) {
      Evaluator<double> evaluate(Program(model_.q, field));
      std::vector<double> row;
      for (const Point& q : points_) {
        Point out(N_);
        evaluate(q.data(), out.data());
        row.insert(row.end(), out.begin(), out.end());
      }
      return row;
    };
    Span known;
    for (const auto& field : result_.fields) known.add(stacked(field), 1.0);
    std::size_t first = 0;
    while (first < result_.fields.size() && result_.fields.size() < most && !spans_all()) {
      const std::size_t last = result_.fields.size();
      for (std::size_t j = first; j < last; ++j)
        for (std::size_t i = 0; i < std::min(m_, j); ++i) {
          Expressions made = bracket(result_.fields[i], result_.fields[j]);
          const std::vector<double> row = stacked(made);
          if (std::ranges::all_of(row, [](double x) { return std::isfinite(x); }) &&
              known.add(row, 1.0))
            result_.fields.push_back(std::move(made));
        }
      first = last;
    }
  }

  bool spans_all() const {
    Evaluator<double> evaluate(Program(model_.q, flat()));
    return std::ranges::all_of(points_,
                               [&](const Point& q) { return tangent(evaluate, q).size() == N_; });
  }

  /// An orthonormal basis of the leaf's tangent at q.
  Rows tangent(Evaluator<double>& evaluate, const Point& q) const {
    Span span;
    for (const auto& row : values(evaluate, result_.fields.size(), N_, q)) span.add(row, 1.0);
    return span.basis();
  }

  /// Differentials along the leaf at a sample: of the equations, of q, of q̇.
  struct Sample {
    Rows equations, q, rates;
    double size = 1.0;
  };

  void find_shape() {
    const FrameEquations e = frame_equations(model_);
    Expressions watched = e.momentum;
    for (std::size_t j = 0; j < m_; ++j) watched.push_back(e.rate[j] + e.force[j]);
    Expressions outputs = watched;
    outputs.insert(outputs.end(), e.velocity.begin(), e.velocity.end());
    const std::size_t plain = outputs.size();
    for (const auto& part_of : {jacobian(watched, model_.q), jacobian(e.velocity, model_.q)})
      outputs.insert(outputs.end(), part_of.begin(), part_of.end());
    Evaluator<double> evaluate(Program(model_.variables(), outputs));
    Evaluator<double> fields(Program(model_.q, flat()));
    std::vector<Sample> all;
    for (const Point& q : std::span(points_).subspan(1)) {  // the start may be a special point
      const Rows directions = tangent(fields, q);
      Sample sample;
      for (std::size_t b = 0; b < N_; ++b) {
        std::vector<double> row;
        for (const auto& d : directions) row.push_back(d[b]);
        sample.q.push_back(std::move(row));
      }
      sample.rates.assign(N_, {});
      for (int tries = 0; tries < 3; ++tries) {  // at several velocities
        std::vector<double> in = q;
        for (const double x : xi_) in.push_back(x * (1.0 + uniform_(random_)) + uniform_(random_));
        in.push_back(0.0);
        std::vector<double> out(outputs.size());
        evaluate(in.data(), out.data());
        if (!std::ranges::all_of(out, [](double x) { return std::isfinite(x); })) continue;
        for (std::size_t i = 0; i < plain; ++i)
          sample.size = std::fmax(sample.size, std::fabs(out[i]));
        const auto along = [&](std::size_t output) {
          std::vector<double> row;
          for (const auto& d : directions) {
            double sum = 0.0;
            for (std::size_t b = 0; b < N_; ++b) sum += out[plain + output * N_ + b] * d[b];
            row.push_back(sum);
          }
          return row;
        };
        for (std::size_t i = 0; i < watched.size(); ++i) sample.equations.push_back(along(i));
        for (std::size_t b = 0; b < N_; ++b) {
          const std::vector<double> row = along(watched.size() + b);
          sample.rates[b].insert(sample.rates[b].end(), row.begin(), row.end());
        }
        note_dependence(out, plain, watched.size(), sample.size);
      }
      all.push_back(std::move(sample));
    }
    result_.in_shape = closed_shape(all);
    if (result_.in_shape.empty()) result_.in_shape = plain_shape();
  }

  /// depends_[i][b]: whether rate i of q̇ (and last: the equations) changes with q_b alone.
  void note_dependence(const std::vector<double>& out, std::size_t plain, std::size_t watched,
                       double size) {
    depends_.resize(N_ + 1, std::vector<bool>(N_, false));
    for (std::size_t i = 0; i < watched + N_; ++i)
      for (std::size_t b = 0; b < N_; ++b)
        if (std::fabs(out[plain + i * N_ + b]) > part * size)
          depends_[i < watched ? N_ : i - watched][b] = true;
  }

  /// The coordinates whose differentials lie in the span of the equations', where these span no
  /// more than that and their own rates stay inside; empty where no such set is found.
  std::vector<bool> closed_shape(const std::vector<Sample>& all) const {
    std::vector<bool> shape(N_, false);
    std::vector<Span> spans(all.size());
    for (std::size_t s = 0; s < all.size(); ++s)
      for (const auto& row : all[s].equations) spans[s].add(row, all[s].size);
    for (std::size_t round = 0; round <= N_; ++round) {
      for (std::size_t b = 0; b < N_; ++b)
        shape[b] = std::ranges::all_of(std::views::iota(std::size_t{0}, all.size()),
                                       [&](auto s) { return spans[s].holds(all[s].q[b], 1.0); });
      bool closed = true;
      for (std::size_t s = 0; s < all.size(); ++s) {
        const std::size_t width = all[s].q.front().size();
        for (std::size_t b = 0; b < N_; ++b) {
          if (!shape[b]) continue;
          for (std::size_t k = 0; width > 0 && k < all[s].rates[b].size() / width; ++k) {
            const auto begin = all[s].rates[b].begin() + static_cast<std::ptrdiff_t>(k * width);
            const std::vector<double> row(begin, begin + static_cast<std::ptrdiff_t>(width));
            closed = !spans[s].add(row, all[s].size) && closed;
          }
        }
      }
      if (!closed) continue;
      for (std::size_t s = 0; s < all.size(); ++s) {
        Span chosen;
        for (std::size_t b = 0; b < N_; ++b)
          if (shape[b]) chosen.add(all[s].q[b], 1.0);
        for (const auto& row : spans[s].basis())
          if (!chosen.holds(row, 1.0)) return {};
      }
      return shape;
    }
    return {};
  }

  /// The coordinates that the formulas contain, and those that their rates contain.
  std::vector<bool> plain_shape() const {
    std::vector<bool> shape = depends_.empty() ? std::vector<bool>(N_, true) : depends_[N_];
    for (bool grew = true; grew && !depends_.empty();) {
      grew = false;
      for (std::size_t b = 0; b < N_; ++b)
        for (std::size_t c = 0; shape[b] && c < N_; ++c)
          if (depends_[b][c] && !shape[c]) grew = shape[c] = true;
    }
    return shape;
  }

  const FrameModel& model_;
  std::size_t N_, m_;
  Point xi_;
  std::vector<Point> points_;
  std::vector<std::vector<bool>> depends_;
  std::minstd_rand random_{5};
  std::uniform_real_distribution<double> uniform_{-0.3, 0.3};
  FrameShape result_;
};

}  // namespace

FrameShape frame_shape(const FrameModel& model, const std::vector<double>& q,
                       const std::vector<double>& xi) {
  return Probe(model, q, xi).result();
}

}  // namespace hamel
