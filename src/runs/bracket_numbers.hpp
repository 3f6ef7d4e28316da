// SPDX-License-Identifier: BSD-3-Clause
// What the brackets of a frame must satisfy, looked at in numbers:
//
//   [u_i, u_j] = u_i·∂u_j − u_j·∂u_i = c_ij^a u_a,              i, j ≤ m;          [MATH 1.1]
//   u_i[c_jk^a] + c_jk^b c_ib^a + cyclic in i, j, k = 0         (Jacobi).
// Both are necessary, also where the frame is redundant and c cannot be found by differentiation
// [MATH 1.7]; there the first one leaves c_ij^a undetermined by what ψ takes to zero.
// Fields that l(q, ξ) has quasi-velocities for but that are not given must exist: the rest of the
// first line, pairs by components, is C U with C the brackets along them. Fields that are given
// beyond the quasi-velocities have no momentum: what lies along them does not matter.
// In Quad, at the start and at points near it (frame_points.hpp), whose error is far below what is
// refused.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "hamel/solve/singular_values.hpp"
#include "span.hpp"

namespace hamel::bracket_numbers {

using Numbers = std::vector<Quad>;

inline constexpr double least_fault = 1e-8;  ///< relative to the terms of a sum that must vanish

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

inline std::string number(const Quad& x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", static_cast<double>(x) + 0.0);
  return text;
}

inline std::string vector_text(const Numbers& list) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t b = 0; b < std::min(list.size(), most); ++b)
    text += (b > 0 ? ", " : "") + number(abs(list[b]) < Quad(1e-12) ? Quad(0) : list[b]);
  return "(" + text + (list.size() > most ? ", ...)" : ")");
}

inline bool finite(const Numbers& list) {
  return std::ranges::all_of(list, [](const Quad& x) { return x - x == Quad(0); });
}

class Brackets {
 public:
  Brackets(const FrameModel& model)
      : model_(model),
        N_(model.coordinates_count()),
        m_(model.fields()),
        n_(static_cast<int>(model.xi.size())) {
    rows_ = model.frame;
    rows_.insert(rows_.end(), model.complement.begin(), model.complement.end());
    const int known = static_cast<int>(rows_.size());
    given_.assign(at(n_ * n_), false);
    for (const auto& [i, j, k, value] : model.brackets)
      given_[at(i * n_ + j)] = given_[at(j * n_ + i)] = true;
    for (int i = 0; i < std::min(n_, known); ++i)
      for (int j = i + 1; j < std::min(n_, known); ++j) pairs_.emplace_back(i, j);

    Expressions flat;
    for (const auto& row : rows_) flat.insert(flat.end(), row.begin(), row.end());
    Expressions out = flat;
    for (const auto& [i, j] : pairs_) {  // u_i·∂u_j, u_j·∂u_i
      for (const auto& [of, along] : {std::pair{j, i}, std::pair{i, j}}) {
        const Expressions d = directional(rows_[at(of)], model.q, rows_[at(along)]);
        out.insert(out.end(), d.begin(), d.end());
      }
    }
    const Expressions c = structure_functions(model);
    out.insert(out.end(), c.begin(), c.end());
    if (model.brackets_given) {
      Expressions values;
      for (const Bracket& bracket : model.brackets) values.push_back(bracket.value);
      for (const auto& row : rows_) {
        const Expressions d = directional(values, model.q, row);
        out.insert(out.end(), d.begin(), d.end());
      }
    }
    evaluate_ = Evaluator<Quad>(Program(model.q, out));
    out_.resize(out.size());
  }

  /// False where something is not finite there.
  bool look(const std::vector<double>& q) {
    const Numbers in(q.begin(), q.end());
    evaluate_(in.data(), out_.data());
    return finite(out_);
  }

  /// What is wrong where it was looked at last; "" where nothing is.
  std::string fault() const {
    const int known = static_cast<int>(rows_.size());
    const Span beyond = span(std::min(n_, known), known);  // of the fields beyond ξ
    std::vector<Numbers> rests;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const auto [i, j] = pairs_[pair];
      if (!used(i, j)) continue;
      Numbers rest = own(pair);
      Numbers size = terms(pair);
      Numbers shown(at(N_), Quad(0));
      for (int a = 0; a < std::min(n_, known); ++a)
        for (int b = 0; b < N_; ++b) {
          const Quad part = c(i, j, a) * u(a, b);
          shown[at(b)] += part;
          rest[at(b)] -= part;
          size[at(b)] += abs(part);
        }
      beyond.take_out_of(rest);
      if (n_ > known) {  // judged together below, each relative to its terms
        for (int b = 0; b < N_; ++b) rest[at(b)] /= size[at(b)] + Quad(1e-300);
        rests.push_back(std::move(rest));
      } else if (wrong(rest, size)) {
        return "[u" + std::to_string(i + 1) + ", u" + std::to_string(j + 1) +
               "] = " + vector_text(own(pair)) + ", but c_" + std::to_string(i + 1) +
               std::to_string(j + 1) + "^k u_k = " + vector_text(shown);
      }
    }
    return rests.empty() ? jacobi_fault() : unknown_fault(rests);
  }

  /// Whether a combination of the fields vanishes where it was looked at last, or might.
  bool dependent() const {
    const int known = std::min(n_, static_cast<int>(rows_.size()));
    if (known < n_) return true;
    Numbers columns(at(N_ * known));
    for (int a = 0; a < known; ++a)
      for (int b = 0; b < N_; ++b) columns[at(b * known + a)] = u(a, b);
    return singular_values(columns, N_, known).rank(1e-10) < known;
  }

  /// The frame's own brackets as a list for the scenario; "" where the fields do not determine
  /// them. They do where they are independent at a point, and, if c does not depend on q, where no
  /// combination of them with constant weights vanishes at all of the points.
  std::string own_list(const std::vector<std::vector<double>>& points) {
    const int known = static_cast<int>(rows_.size());
    if (known < n_) return "";
    std::vector<Numbers> fields;
    std::vector<std::vector<Numbers>> brackets(pairs_.size());
    for (const auto& q : points) {
      if (!look(q)) continue;
      for (int b = 0; b < N_; ++b) {
        Numbers row(at(known));
        for (int a = 0; a < known; ++a) row[at(a)] = u(a, b);
        fields.push_back(std::move(row));
      }
      for (std::size_t pair = 0; pair < pairs_.size(); ++pair) brackets[pair].push_back(own(pair));
    }
    if (fields.empty()) return "";
    std::string everywhere = list_of(fields, brackets);
    if (!everywhere.empty()) return everywhere;
    fields.resize(at(N_));
    for (auto& list : brackets) list.resize(1);
    const std::string here = list_of(fields, brackets);
    return here.empty() ? "" : here + " at the initial state";
  }

 private:
  /// Whether the equations of motion use c_ij, or it is given all the same.
  bool used(int i, int j) const { return (i < m_ && j < m_) || given_[at(i * n_ + j)]; }
  const Quad& u(int a, int b) const { return out_[at(a * N_ + b)]; }
  std::size_t of_pair(std::size_t pair) const { return rows_.size() * at(N_) + 2 * pair * at(N_); }
  const Quad& c(int i, int j, int k) const {
    return out_[of_pair(pairs_.size()) + at((i * n_ + j) * n_ + k)];
  }
  const Quad& slope(int along, std::size_t bracket) const {
    return out_[of_pair(pairs_.size()) + at(n_ * n_ * n_) + at(along) * model_.brackets.size() +
                bracket];
  }

  Numbers own(std::size_t pair) const {
    Numbers w(at(N_));
    for (std::size_t b = 0; b < w.size(); ++b)
      w[b] = out_[of_pair(pair) + b] - out_[of_pair(pair) + w.size() + b];
    return w;
  }
  Numbers terms(std::size_t pair) const {
    Numbers w(at(N_));
    for (std::size_t b = 0; b < w.size(); ++b)
      w[b] = abs(out_[of_pair(pair) + b]) + abs(out_[of_pair(pair) + w.size() + b]);
    return w;
  }

  static bool wrong(const Numbers& rest, const Numbers& size) {
    Quad largest = 0;
    for (const Quad& x : size) largest = max(largest, x);
    for (std::size_t b = 0; b < rest.size(); ++b)
      if (!(abs(rest[b]) <= Quad(least_fault) * (size[b] + Quad(1e-6) * largest))) return true;
    return false;
  }

  Span span(int from, int to) const {
    Span rows;
    for (int a = from; a < to; ++a) {
      Numbers x(at(N_));
      for (int b = 0; b < N_; ++b) x[at(b)] = u(a, b);
      rows.add(std::move(x));
    }
    return rows;
  }

  /// Fields that are not given: rests = C U for some U, the columns of C span those of the rests.
  std::string unknown_fault(const std::vector<Numbers>& rests) const {
    const int known = static_cast<int>(rows_.size());
    Span columns;
    std::vector<std::size_t> judged;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair)
      if (used(pairs_[pair].first, pairs_[pair].second)) judged.push_back(pair);
    for (int a = known; a < n_; ++a) {
      Numbers column;
      for (const std::size_t pair : judged)
        column.push_back(c(pairs_[pair].first, pairs_[pair].second, a));
      columns.add(std::move(column));
    }
    for (int b = 0; b < N_; ++b) {
      Numbers column;
      for (const Numbers& rest : rests) column.push_back(rest[at(b)]);
      columns.take_out_of(column);
      for (std::size_t k = 0; k < column.size(); ++k)
        if (!(abs(column[k]) <= Quad(least_fault)))
          return "[u" + std::to_string(pairs_[judged[k]].first + 1) + ", u" +
                 std::to_string(pairs_[judged[k]].second + 1) +
                 "] = " + vector_text(own(judged[k])) + " is not c_ij^k u_k for any u" +
                 std::to_string(known + 1) + (known + 1 < n_ ? " ... u" + std::to_string(n_) : "");
    }
    return "";
  }

  /// Which fields commute where it was looked at last, as far as they are given.
  std::vector<bool> commute() const {
    std::vector<bool> found(at(n_ * n_), false);
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const auto [i, j] = pairs_[pair];
      found[at(i * n_ + j)] = found[at(j * n_ + i)] = !wrong(own(pair), terms(pair));
    }
    return found;
  }

  struct Term {
    int k;
    Quad value;
    std::size_t bracket;
    Quad sign;
  };

  std::string jacobi_fault() const {
    if (!model_.brackets_given) return "";
    std::vector<std::vector<Term>> terms(at(n_ * n_));
    for (std::size_t index = 0; index < model_.brackets.size(); ++index) {
      const auto& [i, j, k, value] = model_.brackets[index];
      terms[at(i * n_ + j)].push_back({k, c(i, j, k), index, Quad(1)});
      terms[at(j * n_ + i)].push_back({k, c(j, i, k), index, Quad(-1)});
    }
    // Those that are left out are zero, or of no use to the equations of motion.
    const std::vector<bool> left_out = commute();
    const auto known = [&](int i, int j) {
      return i == j || used(i, j) || left_out[at(i * n_ + j)];
    };
    const int most = std::min(n_, static_cast<int>(rows_.size()));
    Numbers sum(at(n_));
    Numbers size(at(n_));
    const auto add = [&](int i, int j, int k) {
      if (!known(j, k)) return false;
      for (const Term& term : terms[at(j * n_ + k)]) {
        const Quad change = term.sign * slope(i, term.bracket);
        sum[at(term.k)] += change;
        size[at(term.k)] += abs(change);
        if (term.value == Quad(0)) continue;
        if (!known(i, term.k)) return false;
        for (const Term& next : terms[at(i * n_ + term.k)]) {
          const Quad part = term.value * next.value;
          sum[at(next.k)] += part;
          size[at(next.k)] += abs(part);
        }
      }
      return true;
    };
    for (int i = 0; i < most; ++i)
      for (int j = i + 1; j < most; ++j)
        for (int k = j + 1; k < most; ++k) {
          std::ranges::fill(sum, Quad(0));
          std::ranges::fill(size, Quad(0));
          if (!add(i, j, k) || !add(j, k, i) || !add(k, i, j) || !wrong(sum, size)) continue;
          return "they violate Jacobi's identity for u" + std::to_string(i + 1) + ", u" +
                 std::to_string(j + 1) + ", u" + std::to_string(k + 1) +
                 ": the cyclic sum of [u_i, [u_j, u_k]] has the components " + vector_text(sum) +
                 ", not 0";
        }
    return "";
  }

  /// The c_ij^a for which every pair's brackets are c_ij^a times the fields, "" where there are
  /// none or many.
  std::string list_of(const std::vector<Numbers>& fields,
                      const std::vector<std::vector<Numbers>>& brackets) const {
    const int known = static_cast<int>(rows_.size());
    Numbers flat;
    for (const Numbers& row : fields) flat.insert(flat.end(), row.begin(), row.end());
    const auto found = singular_values(flat, static_cast<int>(fields.size()), known);
    if (found.rank(1e-10) < known) return "";
    std::string text;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      Numbers w;
      for (const Numbers& part : brackets[pair]) w.insert(w.end(), part.begin(), part.end());
      Numbers x(at(known), Quad(0));
      for (int e = 0; e < known; ++e) {
        Quad along = 0;
        for (std::size_t b = 0; b < w.size(); ++b) along += found.u[at(e)][b] * w[b];
        for (int a = 0; a < known; ++a) x[at(a)] += along / found.s[at(e)] * found.v[at(e)][at(a)];
      }
      Quad size = 0;
      Quad rest = 0;
      for (std::size_t b = 0; b < w.size(); ++b) {
        Quad sum = w[b];
        for (int a = 0; a < known; ++a) sum -= x[at(a)] * fields[b][at(a)];
        rest = max(rest, abs(sum));
        size = max(size, abs(w[b]));
      }
      if (!(rest <= Quad(least_fault) * size)) return "";
      for (int a = 0; a < n_; ++a) {
        if (!(abs(x[at(a)]) > Quad(1e-8)) || !used(pairs_[pair].first, pairs_[pair].second))
          continue;
        text += (text.empty() ? "[" : ", [") + std::to_string(pairs_[pair].first + 1) + ", " +
                std::to_string(pairs_[pair].second + 1) + ", " + std::to_string(a + 1) + ", \"" +
                number(x[at(a)]) + "\"]";
      }
    }
    return "brackets = [" + text + "]";
  }

  const FrameModel& model_;
  int N_, m_, n_;
  std::vector<Expressions> rows_;
  std::vector<bool> given_;
  std::vector<std::pair<int, int>> pairs_;
  Evaluator<Quad> evaluate_;
  Numbers out_;
};

}  // namespace hamel::bracket_numbers
