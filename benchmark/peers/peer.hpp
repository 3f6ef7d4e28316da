// SPDX-License-Identifier: BSD-3-Clause
// What the programs of the comparison share: the case, the request, the clock and the answer.
//
// Case: n massless links in series from the origin, a point mass at the outer end of each, e3 up.
//   chain               m = l = 1, g = 9.81, every q_i = (1, 0, −1)/√2, ω_i = (.4, 0, .4)
//   spherical_pendulum  n = 1, m = 1, l = g = 9.8, D0's data (section VII), Γ₀ normalised
//
// A program reads requests, one line each, `key=value` separated by blanks, from its arguments or
// else from its input, and answers each with one line of JSON. Keys:
//   system, n, until        the case and its horizon, s
//   method, rhs, joint      what to use; each program says what it knows
//   steps | tolerance       of fixed steps | of methods that choose theirs
//   reference=FILE          end positions to compare with, first line `n until`
//   seconds, repeats        time again until that much is measured, at least so often
//   watch=EVERY             a second run, not timed, that looks at the invariants every so many
//                           steps (0: no such run); watch_only=1 leaves out the timed ones
// Building a model and going back to the start are not timed; the answer has them as `set_up`.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace peers {

using Numbers = std::vector<double>;

struct Case {
  int n = 1;
  double mass = 1.0, length = 1.0, gravity = 9.81;
  double q[3] = {std::sqrt(0.5), 0.0, -std::sqrt(0.5)};  // of every link at the start
  double omega[3] = {0.4, 0.0, 0.4};
  bool chain = true;  // else the spherical pendulum
};

inline Case make_case(const std::string& system, int n) {
  if (n < 1) throw std::invalid_argument("n must be at least 1");
  Case made;
  made.n = n;
  if (system == "chain") return made;
  if (system != "spherical_pendulum" || n != 1) throw std::invalid_argument("no system " + system);
  // tests/golden/sphpend_doc000.json
  return {1,
          1.0,
          9.8,
          9.8,
          {0.293332500831319480904693269, -0.209656967344383659154422327,
           -0.932737905308881504555447554},
          {0.572363520850167389491572952, 0.0, 0.18},
          false};
}

/// (q_1 … q_n, ω_1 … ω_n) at the start.
template <class State>
void start(const Case& c, State& y) {
  for (int i = 0; i < c.n; ++i)
    for (int k = 0; k < 3; ++k) {
      y[3 * i + k] = c.q[k];
      y[3 * (c.n + i) + k] = c.omega[k];
    }
}

/// q̇ = ω×q at the start.
inline void velocity(const Case& c, double (&v)[3]) {
  v[0] = c.omega[1] * c.q[2] - c.omega[2] * c.q[1];
  v[1] = c.omega[2] * c.q[0] - c.omega[0] * c.q[2];
  v[2] = c.omega[0] * c.q[1] - c.omega[1] * c.q[0];
}

/// Joints of two angles: q = R_x(a) R_y(b) (0, 0, −1), the first link's; the others are at 0.
///   q = (−sin b, sin a cos b, −cos a cos b)
struct TwoAngles {
  double a, b, a_rate, b_rate;

  explicit TwoAngles(const Case& c) {
    double v[3];
    velocity(c, v);
    a = std::atan2(c.q[1], -c.q[2]);
    b = -std::asin(c.q[0]);
    b_rate = -v[0] / std::cos(b);
    a_rate = (v[1] * std::cos(a) + v[2] * std::sin(a)) / std::cos(b);
  }
};

/// Positions and velocities of the masses from (q, ω): x_i = Σ_{j≤i} l q_j.
inline void cartesian(const Case& c, const double* y, double* x, double* v) {
  double at[3] = {0.0, 0.0, 0.0};
  double rate[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < c.n; ++i) {
    const double* q = y + 3 * i;
    const double* w = y + 3 * (c.n + i);
    const double dq[3] = {w[1] * q[2] - w[2] * q[1], w[2] * q[0] - w[0] * q[2],
                          w[0] * q[1] - w[1] * q[0]};
    for (int k = 0; k < 3; ++k) {
      x[3 * i + k] = at[k] += c.length * q[k];
      v[3 * i + k] = rate[k] += c.length * dq[k];
    }
  }
}

// ---- invariants -------------------------------------------------------------------------------

/// The energy, the angular momentum about e3 and the worst relative error of a length.
struct Invariants {
  double energy = 0.0, momentum = 0.0, length = 0.0;

  Invariants(const Case& c, const double* x, const double* v) {
    double before[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < c.n; ++i, x += 3, v += 3) {
      energy += c.mass * (0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + c.gravity * x[2]);
      momentum += c.mass * (x[0] * v[1] - x[1] * v[0]);
      const double link = std::hypot(x[0] - before[0], x[1] - before[1], x[2] - before[2]);
      const double off = std::fabs(link / c.length - 1.0);
      if (!(off <= length)) length = off;
      std::copy(x, x + 3, before);
    }
  }
};

/// The largest changes since the start; those of energy and momentum relative to their start.
class Watch {
 public:
  Watch(const Case& c, long every) : case_(c), every_(every), x_(3 * size()), v_(3 * size()) {
    Numbers y(6 * size());
    start(c, y);
    cartesian(c, y.data(), x_.data(), v_.data());
    const Invariants at(c, x_.data(), v_.data());
    energy_ = at.energy;
    momentum_ = at.momentum;
  }

  long every() const { return every_; }
  /// To be asked once after each step.
  bool due() { return ++count_ % every_ == 0; }
  double* x() { return x_.data(); }
  double* v() { return v_.data(); }

  /// Of what x() and v() hold now.
  void look() {
    const Invariants at(case_, x_.data(), v_.data());
    raise(energy, std::fabs(at.energy / energy_ - 1.0));
    raise(momentum, std::fabs(at.momentum / momentum_ - 1.0));
    raise(length, at.length);
  }

  double energy = 0.0, momentum = 0.0, length = 0.0;

 private:
  std::size_t size() const { return static_cast<std::size_t>(case_.n); }
  static void raise(double& most, double x) {
    if (!(x <= most)) most = x;
  }

  Case case_;
  long every_, count_ = 0;
  double energy_ = 0.0, momentum_ = 0.0;
  Numbers x_, v_;
};

// ---- requests ---------------------------------------------------------------------------------

class Request {
 public:
  explicit Request(const std::string& line) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) throw std::invalid_argument("not key=value: " + word);
      values_[word.substr(0, equals)] = word.substr(equals + 1);
    }
    system = text("system", "chain");
    method = text("method", "");
    until = number("until", 10.0);
    steps = std::lround(number("steps", 0));
    tolerance = number("tolerance", 0.0);
  }

  std::string text(const std::string& key, const std::string& preset) const {
    const auto found = values_.find(key);
    return found == values_.end() ? preset : found->second;
  }
  double number(const std::string& key, double preset) const {
    const auto found = values_.find(key);
    return found == values_.end() ? preset : std::stod(found->second);
  }

  double step() const {
    if (steps < 1) throw std::invalid_argument(method + " needs steps=");
    return until / static_cast<double>(steps);
  }
  double asked_tolerance() const {
    if (!(tolerance > 0.0)) throw std::invalid_argument(method + " needs tolerance=");
    return tolerance;
  }
  [[noreturn]] void unknown_method() const { throw std::invalid_argument("no method " + method); }

  std::string system, method;
  double until, tolerance;
  long steps;

 private:
  std::map<std::string, std::string> values_;
};

/// One method on one case. Everything that needs no repetition belongs into the constructor.
class Run {
 public:
  Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  virtual ~Run() = default;

  /// Back to the start.
  virtual void reset() = 0;
  /// The whole horizon; shows the state to the watch, if any, whenever that is due.
  virtual void go(Watch* watch) = 0;
  /// Positions and velocities of the masses.
  virtual void observe(double* x, double* v) = 0;
  /// Of the last go().
  virtual long steps_taken() const = 0;
};

using Maker = std::function<std::unique_ptr<Run>(const Case&, const Request&)>;

// ---- answers ----------------------------------------------------------------------------------

inline double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// The largest distance of a mass from its place in the reference, in lengths of a link.
inline double distance(const Case& c, const std::string& file, double until, const Numbers& x) {
  std::ifstream reference(file);
  int n = 0;
  double t = 0.0;
  if (!(reference >> n >> t)) throw std::runtime_error("cannot read " + file);
  if (n != c.n || t != until) throw std::runtime_error(file + " is of another case");
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    double at[3];
    if (!(reference >> at[0] >> at[1] >> at[2])) throw std::runtime_error(file + " is too short");
    const double off = std::hypot(x[i] - at[0], x[i + 1] - at[1], x[i + 2] - at[2]) / c.length;
    if (!(off <= most)) most = off;
  }
  return most;
}

/// A flat JSON object on one line.
class Answer {
 public:
  void add(const char* key, double value) {
    char text[40] = "null";  // JSON has no NaN
    if (std::isfinite(value)) std::snprintf(text, sizeof text, "%.6g", value);
    put(key, text);
  }
  void add(const char* key, const std::string& value) {
    std::string quoted = "\"";
    for (const char c : value)
      if (c == '"' || c == '\\')
        (quoted += '\\') += c;
      else
        quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    put(key, quoted + '"');
  }
  void print() const { std::cout << '{' << line_ << '}' << std::endl; }

 private:
  void put(const char* key, const std::string& value) {
    line_ += std::string(line_.empty() ? "\"" : ", \"") + key + "\": " + value;
  }
  std::string line_;
};

inline void answer(const Request& request, const Maker& make, Answer& told) {
  const Case c = make_case(request.system, static_cast<int>(request.number("n", 1)));
  const auto size = static_cast<std::size_t>(3 * c.n);
  double began = now();
  const std::unique_ptr<Run> run = make(c, request);
  run->reset();
  told.add("set_up", now() - began);
  const std::string reference = request.text("reference", "");
  if (request.number("watch_only", 0) == 0) {
    const double wanted = request.number("seconds", 0.0);
    const auto repeats = std::lround(request.number("repeats", 1));
    double least = std::numeric_limits<double>::infinity();
    double total = 0.0;
    long done = 0;
    for (; done < repeats || total < wanted; ++done) {
      run->reset();
      began = now();
      run->go(nullptr);
      const double took = now() - began;
      least = std::min(least, took);
      total += took;
    }
    told.add("seconds", least);
    told.add("repeats", static_cast<double>(done));
    told.add("steps_taken", static_cast<double>(run->steps_taken()));
    Numbers x(size), v(size);
    run->observe(x.data(), v.data());
    if (!reference.empty()) told.add("error", distance(c, reference, request.until, x));
    Watch end(c, 1);
    std::copy(x.begin(), x.end(), end.x());
    std::copy(v.begin(), v.end(), end.v());
    end.look();
    told.add("end_energy", end.energy);
  }
  if (const auto every = std::lround(request.number("watch", 0)); every > 0) {
    Watch watch(c, every);
    run->reset();
    began = now();
    run->go(&watch);
    told.add("watched_seconds", now() - began);
    told.add("watched_steps", static_cast<double>(run->steps_taken()));
    told.add("energy", watch.energy);
    told.add("momentum", watch.momentum);
    told.add("length", watch.length);
  }
}

/// The program: answers its arguments, or line by line what it reads.
inline int serve(int argc, char** argv, const Maker& make) {
  const auto one = [&](const std::string& line) {
    Answer told;
    try {
      answer(Request(line), make, told);
    } catch (const std::exception& e) {
      told.add("failed", std::string(e.what()));
    }
    told.print();
  };
  if (argc > 1) {
    std::string line;
    for (int i = 1; i < argc; ++i) (line += argv[i]) += ' ';
    one(line);
    return 0;
  }
  for (std::string line; std::getline(std::cin, line);) one(line);
  return 0;
}

}  // namespace peers
