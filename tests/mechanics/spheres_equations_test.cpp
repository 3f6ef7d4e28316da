// SPDX-License-Identifier: BSD-3-Clause
// Mechanics on (S²)ⁿ: the four forms against references and against each other, by every route.
#include "hamel/models/spheres_equations.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "hamel/core/error.hpp"
#include "mechanics/spheres_test_systems.hpp"

namespace hamel {
namespace {

using namespace test;

/// Neither quadratic in q̇ nor free of t: "relativistic", coupled, with a gyroscopic term.
SpheresFormulas general_system() {
  SpheresFormulas s = SpheresFormulas::with_variables({"a", "b"});
  const Vector q = at(s.q, 0), p = at(s.q, 1), u = at(s.v, 0), w = at(s.v, 1);
  s.lagrangian = 2.0 * sqrt(1.0 + norm2(u) + 0.3 * dot(p, u) * dot(q, w)) +
                 (1.0 + 0.2 * q[2]) * norm2(w) + 0.1 * pow(norm2(w), 2.0) +
                 0.4 * (p[0] * u[1] - p[1] * u[0]) * (1.0 + 0.1 * sin(s.t)) - q[2] * p[0] - p[2];
  return s;
}

std::vector<SpheresRoute> routes(const SpheresFormulas& s) {
  if (!s.quadratic()) return {SpheresRoute::general};
  if (!s.constant_inertia()) return {SpheresRoute::general, SpheresRoute::quadratic};
  return {SpheresRoute::general, SpheresRoute::quadratic, SpheresRoute::constant};
}

/// Every form by every route: q̇ is v, and ẏ is the rate of the Legendre map y(q, q̇, t) along the
/// acceleration of the first. Returns the largest difference.
template <class S>
double disagreement(const SpheresFormulas& s, const State<S>& state, S t) {
  const std::size_t m = s.q.size();
  SpheresField<S> first(s, SpheresForm::q_qdot, true);
  std::vector<S> z;
  first.start(state.q, state.v, z, t);
  const std::vector<S> reference = rate_of(first, z, state.v, t);
  Expressions direction(2 * m + 1);
  for (auto& d : direction) d = s.graph->input();
  const Expressions inputs = joined({s.q, s.v, {&s.t, 1}});
  std::vector<S> point = state.q;
  point.insert(point.end(), state.v.begin(), state.v.end());
  point.push_back(t);
  point.insert(point.end(), reference.begin(), reference.begin() + std::ptrdiff_t(2 * m));
  point.push_back(1);
  double worst = 0;
  for (const SpheresForm form : all_forms) {
    for (const SpheresRoute route : routes(s)) {
      SpheresField<S> field(s, form, route);
      field.start(state.q, state.v, z, t);
      EXPECT_EQ(std::size_t(field.size()), 2 * m + (s.forced() ? 1 : 0));
      const std::vector<S> rate = rate_of(field, z, state.v, t);
      const SpheresEquations e = spheres_equations(s, form, route);
      std::vector<S> expected = state.v;
      const std::vector<S> along = values(joined({inputs, direction}),
                                          directional(e.from_velocity, inputs, direction), point);
      expected.insert(expected.end(), along.begin(), along.end());
      if (s.forced()) {
        S power = 0;
        const std::vector<S> f = values(inputs, s.force, part(point, 0, 2 * m + 1));
        for (std::size_t a = 0; a < m; ++a) power += f[a] * state.v[a];
        expected.push_back(power);
      }
      const double d = distance(rate, expected);
      if (!(d <= worst)) worst = d;

      // and back, from a guess that is not the solution
      std::vector<S> q(m), v = state.v;
      for (S& x : v) x = x * S(0.9);
      EXPECT_TRUE(field.observe(z.data(), t, q.data(), v.data()));
      EXPECT_EQ(q, state.q);
      const double back = distance(v, state.v);
      if (!(back <= worst)) worst = back;
    }
  }
  return worst;
}

// --- references ---------------------------------------------------------------------------------

Numbers numbers(const nlohmann::json& list) {
  Numbers out;
  for (const auto& text : list) out.push_back(std::stod(text.get<std::string>()));
  return out;
}

// [D3 (10)] [D3 (12)] [D3 (16)] [D3 (18)] [D3 (19)] [D3 (23)] [D3 (27)] [D3 (31)] [D3 (32)]
TEST(SpheresEquations, AgreeWithTheReferenceInAllForms) {
  std::ifstream file(HAMEL_GOLDEN_DIR "/sphere/rhs_vectors.json");
  const auto cases = nlohmann::json::parse(file).at("cases");
  ASSERT_EQ(cases.size(), 6U);
  const char* momenta[] = {"qdot", "omega", "mu", "pi"};
  const char* rates[] = {"qddot", "omegadot", "mudot", "pidot"};
  for (const auto& c : cases) {
    const int n = c.at("n");
    SpheresFormulas s = system_of(c.at("kind"), n);
    for (const double f : numbers(c.at("f"))) s.force.emplace_back(f);
    const State<double> state{numbers(c.at("q")), numbers(c.at("qdot"))};
    for (int i = 0; i < n; ++i)
      EXPECT_LE(distance(values(s.q, s.inertia[std::size_t(i)], state.q),
                         numbers(c.at("M")[std::size_t(i)])),
                tolerance);
    for (int k = 0; k < 4; ++k) {
      for (const SpheresRoute route : routes(s)) {
        SpheresField<double> field(s, all_forms[k], route);
        Numbers z;
        field.start(state.q, state.v, z);
        const Numbers rate = rate_of(field, z, state.v, 0.0);
        EXPECT_LE(distance(part(z, s.q.size(), s.q.size()), numbers(c.at(momenta[k]))), tolerance);
        EXPECT_LE(distance(part(rate, 0, s.q.size()), state.v), tolerance);
        EXPECT_LE(distance(part(rate, s.q.size(), s.q.size()), numbers(c.at(rates[k]))), tolerance)
            << c.at("kind") << " n = " << n << ' ' << rates[k];
      }
    }
  }
}

TEST(SpheresEquations, FormsAndRoutesAgreeOnFiveSpheres) {
  for (const char* kind : {"conf", "chain"}) {
    SpheresFormulas s = system_of(kind, 5);
    add_forces(s);
    for (unsigned seed = 1; seed <= 2; ++seed)
      EXPECT_LE(disagreement(s, random_state(5, seed), 0.4), tolerance) << kind;
    // the same equations in the other scalars
    EXPECT_LE(disagreement(s, random_state<long double>(5, 4), 0.4L), tolerance_in<long double>)
        << kind;
    EXPECT_LE(disagreement(s, random_state<Quad>(5, 4), Quad(0.4)), tolerance_in<Quad>) << kind;
  }
}

// [D3 (10)] [D3 (16)] [D3 (19)] [D3 (23)] [D3 (27)] [D3 (31)]
TEST(SpheresEquations, FormsAgreeWhereTheLagrangianIsNotQuadratic) {
  SpheresFormulas s = general_system();
  add_forces(s);
  EXPECT_EQ(SpheresField<double>(s, SpheresForm::q_mu).guesses(), 6);
  EXPECT_EQ(SpheresField<double>(s, SpheresForm::q_omega).guesses(), 0);
  EXPECT_EQ(SpheresField<double>(system_of("conf", 2), SpheresForm::q_mu, true).guesses(), 0);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    EXPECT_LE(disagreement(s, random_state(2, seed), 0.4), tolerance);
    EXPECT_LE(disagreement(s, random_state<Quad>(2, seed), Quad(0.4)), tolerance_in<Quad>);
  }
}

// --- the maps between the forms -----------------------------------------------------------------

// [D3 (19)] [D3 (27)] [D3 (32)] [MATH 6.3]
TEST(SpheresEquations, LegendreMapsAreInverseToEachOther) {
  for (const bool quadratic : {true, false}) {
    const SpheresFormulas s = quadratic ? system_of("conf", 2) : general_system();
    const State<double> state = random_state(2, 7);
    Numbers y[4];
    for (const double length : {1.1, 1.0}) {  // exact inverses off the manifold too
      State<double> scaled = state;
      for (double& x : scaled.q) x *= length;
      for (int k = 0; k < 4; ++k) {
        for (const SpheresRoute route : routes(s)) {
          SpheresField<double> field(s, all_forms[k], route);
          Numbers z, again, q(6), v = state.v;
          field.start(scaled.q, scaled.v, z);
          y[k] = part(z, 6, 6);
          ASSERT_TRUE(field.observe(z.data(), 0.0, q.data(), v.data()));
          field.start(q, v, again);
          EXPECT_LE(distance(v, state.v), tolerance);
          EXPECT_LE(distance(again, z), tolerance);
        }
      }
    }
    for (int i = 0; i < 2; ++i) {
      const V3 q = at(state.q, i), v = at(state.v, i), omega = at(y[1], i);
      const V3 mu = at(y[2], i), pi = at(y[3], i);
      EXPECT_LE(norm(cross(omega, q) - v), tolerance);
      EXPECT_LE(norm(cross(q, v) - omega), tolerance);
      EXPECT_LE(norm(cross(q, mu) - pi), tolerance * (1 + norm(mu)));
      EXPECT_LE(norm(cross(pi, q) - mu), tolerance * (1 + norm(mu)));
      EXPECT_LE(std::abs(dot(q, mu)) + std::abs(dot(q, pi)), tolerance * (1 + norm(mu)));
    }
  }
}

/// To |q| = 1.1 and y·q ≠ 0.
void push_off(Numbers& z, std::size_t m) {
  for (std::size_t a = 0; a < m; ++a) {
    z[a] *= 1.1;
    z[m + a] += 0.2 * z[a];
  }
}

TEST(SpheresEquations, LengthAndTangencyAreFirstIntegralsOffTheManifoldToo) {
  for (const char* kind : {"conf", "chain"}) {
    SpheresFormulas s = system_of(kind, 3);
    add_forces(s);
    for (const SpheresForm form : all_forms) {
      for (const SpheresRoute route : routes(s)) {
        SpheresField<double> field(s, form, route);
        State<double> state = random_state(3, 11);
        Numbers z;
        field.start(state.q, state.v, z);
        push_off(z, 9);
        const Numbers rate = rate_of(field, z, state.v, 0.0);
        const Numbers q_dot = part(rate, 0, 9), y_dot = part(rate, 9, 9), y = part(z, 9, 9);
        for (int i = 0; i < 3; ++i) {
          const double scale = 1 + norm(at(y_dot, i)) + norm(at(q_dot, i)) * norm(at(y, i));
          EXPECT_LE(std::abs(dot(at(z, i), at(q_dot, i))), tolerance * scale);
          EXPECT_LE(std::abs(dot(at(z, i), at(y_dot, i)) + dot(at(q_dot, i), at(y, i))),
                    tolerance * scale);
        }
      }
    }
  }
}

// The vertical angular momentum Σ (q_i×μ_i)·e3 = Σ π_i·e3 of a chain, off the manifold.
TEST(SpheresEquations, MomentumFormsKeepTheAngularMomentumOffTheManifoldToo) {
  const SpheresFormulas s = system_of("chain", 3);
  for (const SpheresForm form : {SpheresForm::q_mu, SpheresForm::q_pi}) {
    for (const SpheresRoute route : routes(s)) {
      SpheresField<double> field(s, form, route);
      State<double> state = random_state(3, 12);
      Numbers z;
      field.start(state.q, state.v, z);
      push_off(z, 9);
      const Numbers rate = rate_of(field, z, state.v, 0.0);
      V3 sum{};
      for (int i = 0; i < 3; ++i)
        sum += form == SpheresForm::q_pi
                   ? at(rate, 3 + i)
                   : cross(at(rate, i), at(z, 3 + i)) + cross(at(z, i), at(rate, 3 + i));
      EXPECT_LE(std::abs(sum[2]), 100 * tolerance);  // terms of size 100
    }
  }
}

// --- chains -------------------------------------------------------------------------------------

TEST(ChainFormulas, ForcesDissipateWhatDampersAndAirDo) {  // [MATH 6.2]
  constexpr int n = 3;
  Chain chain = chain_of(n);
  chain.joint_damping = 0.7;
  chain.air_drag = 0.3;
  const SpheresFormulas s = chain_formulas(chain);
  const State<double> state = random_state(n, 21);
  const Numbers f = values(joined({s.q, s.v}), s.force, numbers_of({state.q, state.v}));
  // The work of the forces along q̇ and along any other virtual velocity.
  Numbers other = random_state(n, 22).v;
  for (std::size_t a = 0; a < other.size(); a += 3) {
    const V3 w = tangent(at(state.q, int(a / 3)), at(other, int(a / 3)));
    std::copy(w.data, w.data + 3, &other[a]);
  }
  double power = 0;
  for (const Numbers& along : {other, state.v}) {
    double expected = 0;
    power = 0;
    V3 x_dot{}, x_along{}, turn{}, turn_along{};
    for (int i = 0; i < n; ++i) {
      const V3 v = at(state.v, i), w = at(along, i);
      const V3 omega = cross(at(state.q, i), v), omega_along = cross(at(state.q, i), w);
      power += dot(at(f, i), w);
      x_dot += chain.lengths[std::size_t(i)] * v;
      x_along += chain.lengths[std::size_t(i)] * w;
      expected -= 0.7 * dot(omega - turn, omega_along - turn_along) +
                  0.3 * norm(x_dot) * dot(x_dot, x_along);
      turn = omega;
      turn_along = omega_along;
    }
    EXPECT_LE(std::abs(power - expected), tolerance * 10);  // terms of size 10
  }
  EXPECT_LT(power, 0);
  SpheresField<double> field(s, SpheresForm::q_mu);
  Numbers z;
  field.start(state.q, state.v, z);
  EXPECT_LE(std::abs(rate_of(field, z, {}, 0.0).back() - power), tolerance * std::abs(power));

  // at rest the drag and its derivatives vanish
  const Expressions by_v = jacobian(s.force, s.v);
  for (const double entry : values(joined({s.q, s.v}), by_v, numbers_of({state.q, Numbers(9)})))
    EXPECT_TRUE(std::isfinite(entry));
}

TEST(ChainFormulas, EnergyIsThatOfTheMasses) {  // [MATH 6.2]
  Chain chain = chain_of(3);
  chain.bending = {2.0, 3.0};
  chain.clamp = 5.0;
  const SpheresFormulas s = chain_formulas(chain);
  const State<double> state = random_state(3, 22);
  double T = 0, U = 5.0 * (1 + state.q[2]);
  V3 x{}, speed{};
  for (int i = 0; i < 3; ++i) {
    const auto k = std::size_t(i);
    x += chain.lengths[k] * at(state.q, i);
    speed += chain.lengths[k] * at(state.v, i);
    T += 0.5 * chain.masses[k] * norm2(speed);
    U += chain.masses[k] * 9.81 * x[2];
    if (i < 2) U += chain.bending[k] * (1 - dot(at(state.q, i), at(state.q, i + 1)));
  }
  const Numbers in = numbers_of({state.q, state.v});
  const Numbers out = values(joined({s.q, s.v}), {s.lagrangian, s.potential}, in);
  EXPECT_LE(std::abs(out[0] - (T - U)), tolerance * 100);
  EXPECT_LE(std::abs(out[1] - U), tolerance * 100);
}

TEST(SpheresFormulas, KnowTheirInertiaAndRefuseWhatDoesNotFit) {
  EXPECT_TRUE(system_of("chain", 3).constant_inertia());
  EXPECT_FALSE(system_of("chain", 3).diagonal_inertia());
  EXPECT_TRUE(system_of("chain", 1).diagonal_inertia());
  EXPECT_FALSE(system_of("conf", 3).constant_inertia());
  EXPECT_EQ(shortest_route(system_of("chain", 3)), SpheresRoute::constant);
  EXPECT_EQ(shortest_route(system_of("conf", 3)), SpheresRoute::quadratic);
  EXPECT_EQ(shortest_route(general_system()), SpheresRoute::general);

  SpheresFormulas s = SpheresFormulas::with_variables({"a", "b"});
  EXPECT_THROW(s.set_quadratic({{1.0}}, 0.0), InputError);
  s.set_quadratic({{1.0, 1.0}, {1.0, 1.0}}, s.q[2]);  // singular: (v, −v) has no kinetic energy
  EXPECT_EQ(shortest_route(s), SpheresRoute::quadratic);
  EXPECT_THROW(spheres_equations(s, SpheresForm::q_mu, SpheresRoute::constant), InputError);
  EXPECT_THROW(spheres_equations(general_system(), SpheresForm::q_mu, SpheresRoute::quadratic),
               InputError);
  EXPECT_THROW(chain_formulas(Chain{}), InputError);
  Chain chain = chain_of(3);
  chain.bending = {1.0};
  EXPECT_THROW(chain_formulas(chain), InputError);
}

}  // namespace
}  // namespace hamel
