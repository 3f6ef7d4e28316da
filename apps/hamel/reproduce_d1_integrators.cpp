// SPDX-License-Identifier: BSD-3-Clause
// D1: the discrete Hamel equations, and what they and Cortés–Martínez keep of a motion.
#include <fmt/format.h>

#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/methods/frames/dla.hpp"
#include "hamel/methods/frames/gauss.hpp"
#include "hamel/methods/frames/hamel.hpp"
#include "hamel/models/frame_text.hpp"
#include "hamel/systems/chaplygin_sleigh.hpp"
#include "hamel/systems/euler_top.hpp"
#include "hamel/systems/lynch_zenkov.hpp"
#include "reproduce_d1.hpp"

namespace hamel::app {

namespace {

/// Hénon–Heiles from (x, y, p) = (.1, −.2, .3, .25), p along the frame, which is turned by α(q).
io::Scenario henon_heiles(const Registry& registry, const std::string& alpha, double h) {
  return io::parse_scenario(R"toml([system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - ((x^2 + y^2)/2 + x^2*y - y^3/3)"
frame = [["cos(alpha)", "sin(alpha)"], ["-sin(alpha)", "cos(alpha)"]]
[initial]
q = [0.1, -0.2]
xi = [0.3, 0.25]
)toml" + fmt::format("[system.let]\nalpha = \"{}\"\n[integrate]\nstep = {}\n", alpha, h),
                            "D1", {}, registry);
}
constexpr const char* rotated = "2*x - y + x*y";

/// Points of a run: nodes, or half nodes where the method gives these.
template <class S>
struct Path {
  std::vector<std::vector<S>> q, xi;
};

/// `steps` steps, or up to the first that fails where it may. Compensated: a heading of a hundred
/// turns rounds coarsely.
template <class S>
Path<S> follow(const FrameModel& model, const auto& method, const std::vector<S>& q,
               const std::vector<S>& xi, double h, int steps, bool may_fail = false) {
  const auto stepper = method.template stepper<S>(model, {{}, true});
  StepperState<S> state;
  bool good = stepper->start(q, xi, S(h), state);
  Path<S> path;
  for (int n = 0; good && n <= steps; ++n) {
    const S t = S(n) * S(h);
    std::vector<S> q_now(q.size());
    std::vector<S> xi_now(xi.size());
    good = stepper->observe(state, t, S(h), q_now.data(), xi_now.data());
    for (const S& x : q_now) good = good && x - x == S(0.0);
    if (!good) break;
    path.q.push_back(std::move(q_now));
    path.xi.push_back(std::move(xi_now));
    if (n < steps) good = !stepper->step(state, t, S(h)).failed();
  }
  if (path.q.empty() || (!good && !may_fail)) throw NumericalError("the run did not get through");
  return path;
}

struct Start {
  FrameModel model;
  Numbers q, xi;
};

}  // namespace

Finding d1_discrete_theorem(const Registry& registry) {
  std::vector<TextProblem> none;
  const Start starts[] = {
      {frame_model(ChaplyginSleigh{}), {0, 0, 0}, {-0.8, 0.3}},
      {frame_model(LynchZenkov{}), {0.2, 0, 0}, {0.1, 0.9}},
      {frame_model(EulerTop{}), {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 1, 1}},
      {frame_model(henon_heiles(registry, rotated, 0.1).text_system.value_or(FrameText{}), none),
       {0.1, -0.2},
       {0.3, 0.25}}};
  const double h = 0.1;
  const int steps = 40;
  double equations = 0.0;
  double action = 0.0;
  double midpoint = 0.0;
  for (const auto& [model, q, xi] : starts) {
    FrameHamel half;
    half.half = true;
    const Path<Quad> found = follow(model, half, q, xi, h, steps);
    // μ, F and ψξ at the half nodes
    const FrameEquations e = frame_equations(model);
    const Expressions inputs = joined({model.q, model.admissible()});
    Evaluator<Quad> evaluate(Program(inputs, joined({e.momentum, e.rate, e.velocity})));
    const std::size_t m = xi.size();
    std::vector<Numbers> at;
    for (std::size_t k = 0; k < found.q.size(); ++k) {
      Numbers in = found.q[k];
      in.insert(in.end(), found.xi[k].begin(), found.xi[k].end());
      evaluate(in.data(), at.emplace_back(2 * m + q.size()).data());
    }
    for (std::size_t k = 1; k < at.size(); ++k) {
      Numbers left;
      for (std::size_t j = 0; j < m; ++j)  // (μ' − μ)/h − ½(F + F')
        left.push_back((at[k][j] - at[k - 1][j]) / h - (at[k][m + j] + at[k - 1][m + j]) / 2);
      for (std::size_t b = 0; b < q.size(); ++b)  // (q̄' − q̄)/h − ½(ψξ + ψ'ξ')
        left.push_back((found.q[k][b] - found.q[k - 1][b]) / h -
                       (at[k][2 * m + b] + at[k - 1][2 * m + b]) / 2);
      equations = larger(equations, distance(left, Numbers(left.size())));
    }
    // Σ ⟨F, (ζ + ζ')/2⟩ + ⟨μ, (ζ' − ζ)/h⟩: δΣl^d for D1's variations, ζ = 0 at both ends
    Quad sum = 0;
    Numbers zeta(m);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const Numbers next =
          k + 1 < at.size() ? random_numbers(m, static_cast<unsigned>(k)) : Numbers(m);
      for (std::size_t j = 0; j < m; ++j)
        sum += at[k][m + j] * (zeta[j] + next[j]) / 2 + at[k][j] * (next[j] - zeta[j]) / h;
      zeta = next;
    }
    action = larger(action, distance({sum}, {Quad(0)}));
    const Path<Quad> nodes = follow(model, FrameHamel{}, q, xi, h, steps);
    const Path<Quad> gauss = follow(model, FrameGauss{1}, q, xi, h, steps);
    midpoint = larger(midpoint, distance(nodes.q.back(), gauss.q.back()));
    midpoint = larger(midpoint, distance(nodes.xi.back(), gauss.xi.back()));
  }
  const double worst = larger(equations, larger(action, midpoint));
  return {
      worst,
      fmt::format("half nodes of 4 systems satisfy the two-point equations within {:.0e}, the "
                  "action sum is stationary within {:.0e}; nodes after 40 steps within {:.0e} "
                  "of the implicit midpoint rule (quad)",
                  equations, action, midpoint),
      worst <= round_off ? Verdict::confirmed : Verdict::not_confirmed,
      "with the average reconstruction; in the constrained equations c_ij^c should read c_ij^a"};
}

namespace {

constexpr int per_turn = 60;

/// The balanced sleigh from v = ω = 1.
Path<double> circling(const auto& method, int turns) {
  const FrameModel sleigh = frame_model(ChaplyginSleigh{1.0, 1.0, 0.0});
  return follow<double>(sleigh, method, {0.0, 0.0, 0.0}, {1.0, 1.0}, 2.0 * M_PI / per_turn,
                        turns * per_turn + 1);
}

struct Circle {
  double radius = 0.0;
  double off = 0.0;  ///< largest distance from it
};

/// About the mean of the first turn, which is the centre of a regular polygon.
Circle circle_of(const Path<double>& path) {
  double x = 0.0;
  double y = 0.0;
  for (std::size_t k = 0; k < per_turn; ++k) {
    x += path.q[k][0] / per_turn;
    y += path.q[k][1] / per_turn;
  }
  Circle circle{std::hypot(path.q[0][0] - x, path.q[0][1] - y)};
  for (const auto& q : path.q)
    circle.off = larger(circle.off, std::fabs(std::hypot(q[0] - x, q[1] - y) - circle.radius));
  return circle;
}

/// By how much the steps have grown after a turn.
double growth(const Path<double>& path) {
  const auto length = [&](std::size_t k) {
    return std::hypot(path.q[k + 1][0] - path.q[k][0], path.q[k + 1][1] - path.q[k][1]);
  };
  return length(per_turn) / length(0);
}

}  // namespace

Finding d1_sleigh_spiral(const Registry&) {
  FrameHamel half;
  half.half = true;
  const Circle nodes = circle_of(circling(FrameHamel{}, 100));
  const Circle half_nodes = circle_of(circling(half, 100));
  const Circle dla = circle_of(circling(FrameDla{}, 100));
  const double spiral[] = {growth(circling(FrameDla{false, 0.0}, 1)),
                           growth(circling(FrameDla{false, 1.0}, 1))};
  const double eps = 2.0 * M_PI / per_turn;
  const double off = std::fabs(nodes.radius - 0.5 * eps / std::sin(0.5 * eps));
  const double inward = std::pow(std::cos(eps), per_turn);  // [cos((1−α)ε)/cos(αε)]^60
  return {spiral[0],
          fmt::format("100 turns of 60 steps: Hamel nodes on a circle of radius {:.14f} within "
                      "{:.0e}, DLA midpoint {:.5f} within {:.0e}; DLA α = 0 and 1: steps grow by "
                      "{:.10f} and {:.10f} per turn",
                      nodes.radius, nodes.off, dla.radius, dla.off, spiral[0], spiral[1]),
          nodes.off <= 1e-12 && std::fabs(spiral[0] - 1.0) > 0.1 ? Verdict::confirmed
                                                                 : Verdict::not_confirmed,
          "",
          off <= 1e-13 && dla.off <= 1e-11 && half_nodes.off <= 1e-12 &&
              std::fabs(half_nodes.radius - 0.5 * eps / std::tan(0.5 * eps)) <= 1e-13 &&
              std::fabs(dla.radius - eps / std::sin(eps)) <= 1e-13 &&
              std::fabs(spiral[0] - inward) <= 1e-12 && std::fabs(spiral[1] * inward - 1) <= 1e-12};
}

namespace {

/// Lynch–Zenkov A to t = 600: a = 1, b = ½ + 2r, U = 2r² + r/2. By the symmetry (g, s) → (g + c,
/// eᶜs) it may begin at g = −300; from 0 the coordinate s ~ e^g overflows on the way with dla.
Path<double> long_run(const auto& method, const FrameModel& model, double h) {
  const int steps = static_cast<int>(std::lround(600.0 / h));
  return follow<double>(model, method, {0.2, -300.0, 0.0}, {0.1, 0.9}, h, steps, true);
}

/// By how much 200 steps move (r, ξ) from a relative equilibrium, U' = a b w², of A; in Quad.
double moved_from_equilibrium(const auto& method, const FrameModel& model, double h) {
  const Quad r = 0.2;
  const Quad w = sqrt((4 * r + 0.5) / (0.5 + 2 * r));
  const Path<Quad> run = follow<Quad>(model, method, {r, 0, 0}, {0, w}, h, 200);
  return larger(distance({run.q.back()[0]}, {r}), distance(run.xi.back(), {0, w}));
}

}  // namespace

Finding d1_equilibria_kept(const Registry&) {
  const FrameModel model = frame_model(LynchZenkov{});
  const double h = 0.2;
  const Path<double> run = long_run(FrameHamel{}, model, h);
  const double t = h * static_cast<double>(run.q.size() - 1);
  const double r = run.q.back()[0];
  const double w = run.xi.back()[1];
  const double left = std::fabs(4.0 * r + 0.5 - (0.5 + 2.0 * r) * w * w);  // |U' − a b w²|
  const double moved = moved_from_equilibrium(FrameHamel{}, model, h);
  return {left,
          fmt::format("Lynch–Zenkov A, h = 0.2: at t = {:.0f} r = {:.13f} and |U' − a b w²| = "
                      "{:.0e}; from an equilibrium 200 steps lead {:.0e} away (quad)",
                      t, r, left, moved),
          left <= 1e-13 && moved <= round_off ? Verdict::confirmed : Verdict::not_confirmed, "",
          std::fabs(t - 600.0) < 1e-9 && std::fabs(r - 0.0943078643050) <= 1e-12};
}

namespace {

constexpr double step_b = 0.2;

/// A step about the relative equilibrium r = 0, ξ = (0, w) of Lynch–Zenkov B, in (r, p1, p2).
struct Linearised {
  double modulus = 0.0;  ///< of the two multipliers that are not 1
  double moved = 0.0;    ///< by the step itself: 0 at a relative equilibrium
  double unit = 0.0;     ///< det(J − 1): 0 where a multiplier is 1
};

Linearised linearised(const auto& method, double w) {
  const FrameModel model = frame_model(LynchZenkov{"1", "0.99*r", "6*r^2"});
  const auto stepper = method.template stepper<Quad>(model, {});
  const Quad h = step_b;
  StepperState<Quad> base;
  bool good = stepper->start({0, 0, 0}, {0, w}, h, base);
  constexpr std::size_t kept[] = {0, 3, 4};  // of (r, g, s, p1, p2)
  const auto image = [&](std::size_t i, Quad d) {
    StepperState<Quad> state = base;
    state.z[kept[i]] += d;
    good = good && !stepper->step(state, Quad(0), h).failed();
    return Numbers{state.z[0], state.z[3], state.z[4]};
  };
  Linearised found;
  found.moved = distance(image(0, 0), {base.z[0], base.z[3], base.z[4]});
  const Quad d = 1e-10;
  Quad J[3][3];
  for (std::size_t i = 0; i < 3; ++i) {
    const Numbers up = image(i, d);
    const Numbers down = image(i, -d);
    for (std::size_t k = 0; k < 3; ++k) J[k][i] = (up[k] - down[k]) / (2 * d);
  }
  if (!good) throw NumericalError("a step failed");
  const Quad trace = J[0][0] + J[1][1] + J[2][2];
  Quad minors = 0;
  Quad det = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    minors += J[i][i] * J[j][j] - J[i][j] * J[j][i];
    det += J[0][i] * (J[1][j] * J[2][k] - J[1][k] * J[2][j]);
  }
  found.unit = static_cast<double>(abs(1 - trace + minors - det));
  // λ² − sλ + det = 0 for the other two, a complex pair here
  const Quad s = trace - 1;
  const Quad discriminant = s * s / 4 - det;
  found.modulus =
      static_cast<double>(discriminant < 0 ? sqrt(det) : abs(s) / 2 + sqrt(discriminant));
  return found;
}

/// |(1 + hλ/2)/(1 − hλ/2)| for λ² + Bλ + C = 0, the spectrum at r = 0 with a = 1, b' = .99.
double cayley_image(double w) {
  const double h = step_b;
  const double B = w * (0.99 - 1.0) / 2.0;
  const double C = (12.0 - 0.99 * w * w) / 2.0;
  return std::sqrt((1.0 - h * B / 2 + h * h * C / 4) / (1.0 + h * B / 2 + h * h * C / 4));
}

}  // namespace

Finding d1_stability_kept(const Registry&) {
  const Linearised stable = linearised(FrameHamel{}, -3.0);
  const Linearised unstable = linearised(FrameHamel{}, 3.0);
  const double off = larger(std::fabs(stable.modulus - cayley_image(-3.0)),
                            std::fabs(unstable.modulus - cayley_image(3.0)));
  const bool kept = stable.modulus < 1.0 && unstable.modulus > 1.0 && off <= 1e-14;
  return {stable.modulus,
          fmt::format("Lynch–Zenkov B, h = 0.2: |multiplier| {:.10f} at w = −3 (stable), {:.10f} "
                      "at w = +3 (unstable), the Cayley images of the spectrum within {:.0e}",
                      stable.modulus, unstable.modulus, off),
          kept ? Verdict::confirmed : Verdict::not_confirmed, "",
          std::fabs(stable.modulus - 0.9985239118) < 1e-9 &&
              std::fabs(unstable.modulus - 1.00147827) < 1e-8 &&
              larger(stable.unit, unstable.unit) <= by_differences &&
              larger(stable.moved, unstable.moved) <= round_off};
}

Finding d1_dla_corrupts(const Registry&) {
  const Linearised stable = linearised(FrameDla{}, -3.0);
  const Linearised unstable = linearised(FrameDla{}, 3.0);
  const FrameModel model = frame_model(LynchZenkov{});
  const double h = 0.2;
  const Path<double> run = long_run(FrameDla{}, model, h);
  const double moved = moved_from_equilibrium(FrameDla{}, model, h);
  const FrameEquations e = frame_equations(model);
  Evaluator<double> energy(Program(joined({model.q, model.admissible()}), {&e.energy, 1}));
  const auto energy_at = [&](std::size_t k) {
    const double in[] = {run.q[k][0], run.q[k][1], run.q[k][2], run.xi[k][0], run.xi[k][1]};
    double out = 0.0;
    energy(in, &out);
    return out;
  };
  const std::size_t last = run.q.size() - 1;
  const double gained = energy_at(last) - energy_at(0);
  const double t = h * static_cast<double>(last);
  return {
      stable.modulus,
      fmt::format("Lynch–Zenkov B, h = 0.2: |multiplier| {:.8f} at w = −3, where stable, {:.8f} "
                  "at w = +3, where unstable; A: from an equilibrium 200 steps lead {:.2f} "
                  "away, energy {:+.2f} at t = {:.0f}",
                  stable.modulus, unstable.modulus, moved, gained, t),
      stable.modulus > 1.0 && unstable.modulus < 1.0 && moved > 1e-3 ? Verdict::confirmed
                                                                     : Verdict::not_confirmed,
      "",
      std::fabs(stable.modulus - 1.00286944) < 1e-8 &&
          std::fabs(unstable.modulus - 0.99713877) < 1e-8 && std::fabs(t - 600.0) < 1e-9 &&
          std::fabs(gained - 4.3) < 0.05};
}

Finding d1_not_symplectic(const Registry& registry) {
  const auto defect = [&](const char* method, const std::string& alpha, double h) {
    const auto scenario = henon_heiles(registry, alpha, h);
    return scenario.problem->symplectic_defect(MethodSpec::parse(method), scenario.integration)
        .value_or(NAN);
  };
  const double turned[] = {defect("hamel", rotated, 0.2), defect("hamel", rotated, 0.1),
                           defect("hamel", rotated, 0.05)};
  const double plain = defect("hamel", "0", 0.2);
  const double pontryagin = defect("hamel(principle=pontryagin)", rotated, 0.2);
  const double known[] = {2.5e-4, 3.2e-5, 4.1e-6};
  bool as_known = plain <= 1e-12 && pontryagin <= 1e-12;
  for (int i = 0; i < 3; ++i) as_known = as_known && std::fabs(turned[i] / known[i] - 1.0) < 0.03;
  return {
      turned[0],
      fmt::format("Hénon–Heiles in a rotated frame: defect {:.1e}, {:.1e}, {:.1e} at h = 0.2, "
                  "0.1, 0.05; in the coordinate frame {:.0e}, by the discrete "
                  "Hamilton–Pontryagin principle {:.0e}",
                  turned[0], turned[1], turned[2], plain, pontryagin),
      turned[0] <= 1e-12 ? Verdict::confirmed : Verdict::not_confirmed,
      "true of discrete Euler–Lagrange, of which D1 says it, and of discrete Hamilton–Pontryagin; "
      "discrete Hamel prescribes the variations of ξ, which are not those of an action in q",
      as_known};
}

}  // namespace hamel::app
