// SPDX-License-Identifier: BSD-3-Clause
// A step as a map of the chart of a reduced space, with its derivatives and spectrum.
#pragma once

#include <atomic>
#include <complex>
#include <optional>
#include <vector>

#include "hamel/solve/singular_values.hpp"
#include "hamel/studies/equilibria.hpp"

namespace hamel::reduced {

using State = ReducedSpace::State;

/// Row by row.
struct Matrix {
  int rows = 0;
  int columns = 0;
  State values;

  Matrix() = default;
  Matrix(int m, int n) : rows(m), columns(n), values(static_cast<std::size_t>(m * n)) {}
  Quad& operator()(int i, int j) { return values[static_cast<std::size_t>(i * columns + j)]; }
  const Quad& operator()(int i, int j) const {
    return values[static_cast<std::size_t>(i * columns + j)];
  }
};

Quad norm(const State& x);
/// √Σ a_ij².
Quad norm(const Matrix& a);
/// Qᵀ A Q for the columns Q.
Matrix restricted(const Matrix& a, const std::vector<State>& columns);

/// Of derivatives: two points with an error of 1e-20, or four with one of 1e-25; both relative to
/// the third or fifth derivative.
enum class Differences { two, four };

/// c ↦ coordinates of g(−ωh)Φ(z), z = at(c), in the chart of the space.
class Map {
 public:
  Map(const ReducedSpace& space, StepMap<Quad>& step, const Quad& h)
      : space_(space), step_(step), h_(h), to_(space.base().size()) {}

  std::optional<State> image(const State& z, const State& turning);
  /// (g(−ωh)Φ(z) − z)/h at z.
  std::optional<State> residual(const State& z, const State& turning);
  /// D of the map at the base, d×d.
  std::optional<Matrix> derivative(const State& turning, Differences differences);
  /// ∂/∂ω of the residual at the base, d×g.
  std::optional<Matrix> by_turning(const State& turning);

  const ReducedSpace& space() const { return space_; }
  const Quad& h() const { return h_; }

 private:
  const ReducedSpace& space_;
  StepMap<Quad>& step_;
  Quad h_;
  State to_;
};

/// ∂F/∂(z, ω), d×(d + g), from D of the map and ∂F/∂ω.
Matrix residual_derivative(const Matrix& A, const Matrix& by_turning, const Quad& h);

/// The rank of J, over the time h: singular values below 1e-10 of the largest, or 1e-14/h, are
/// differences of equal numbers.
int rank_of(const SingularValues<Quad>& J, const Quad& h);

/// What is prescribed.
struct Fixed {
  enum class Kind {
    component,  ///< z[index]
    turning,    ///< ω about the one axis, or its size where there are several
    speed       ///< the size of z from the index on
  };
  Kind kind;
  std::size_t index;
  Quad value = 0;

  Quad of(const State& z, const State& turning) const;
};

struct Found {
  ReducedState state;
  bool reached = false;
  Quad left = 0;   ///< |F|
  Quad slope = 0;  ///< |J|
  int iterations = 0;
};
/// A root of F(z, ω) near the guess, by Levenberg and Marquardt's iteration; where it may not go
/// far at once, it is less likely to miss one near by.
Found search(ReducedSpace& space, StepMap<Quad>& flow, const Quad& h, const ReducedState& guess,
             const std::optional<Fixed>& fixed, bool far = false,
             const std::atomic<bool>* stop = nullptr);
/// Along the family of `at`, to where it is nearest to `guess`.
void move_nearest(ReducedSpace& space, StepMap<Quad>& flow, const Quad& h,
                  const ReducedState& guess, Found& at, const std::atomic<bool>* stop = nullptr);

/// ω that makes the residual at z smallest, from `turning` on, as far as the map is defined.
void best_turning(Map& map, const State& z, State& turning);

/// The group's directions at the base, and an orthonormal basis of what is across them.
struct Orbit {
  std::vector<State> along, across;
  /// The part of a turning rate that moves the base; the rest leaves it where it is.
  State effective(const State& turning) const;
  SingularValues<Quad> generators;
};
Orbit orbit(const ReducedSpace& space);

struct Spectrum {
  std::vector<std::complex<double>> values;  ///< eigenvalues (1/s), or multipliers
  double growth = 0.0;
  int unstable = 0;
  Stability stability = Stability::neutral;
};

/// Of a map over the time h with derivative A: its multipliers μ, or the rates log(μ)/h. Those
/// below 1e-8 |A − 1|/h, or 1e-14/h, count as eigenvalues zero: an error of 1e-24 in A moves one of
/// multiplicity three by its cube root. The growth of one that turns is told from zero above 1e-16
/// |A − 1|/h where it is simple, 1e-11 where there are two. Empty values where the iteration fails.
Spectrum spectrum(const Matrix& A, const Quad& h, bool rates);

/// A family at one of its members: directions (z, ω) that lead off it, and along it in the chart.
struct FamilyDirections {
  std::vector<State> across, along;
};
/// From the singular values of ∂F/∂(z, ω) and its rank.
FamilyDirections family_directions(const SingularValues<Quad>& J, int rank, const Orbit& orbit);

/// x less its part in the span of `basis`, made a unit vector; false where less than `least` is
/// left.
bool orthonormalised(State& x, const std::vector<State>& basis, double least);

/// What a method's step makes of the equilibrium `of`, at which the space's chart is. Throws
/// NumericalError where its step fails.
void study_method(ReducedSpace& space, StepMap<Quad>& step, const Quad& h, const ReducedState& of,
                  const FamilyDirections& directions, MethodAtEquilibrium& out);

}  // namespace hamel::reduced
