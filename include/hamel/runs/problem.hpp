// SPDX-License-Identifier: BSD-3-Clause
// Problem: a system with its parameters and initial state, behind an interface that every command
// uses; and SystemEntry, its place in the catalogue.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamel/core/quad.hpp"
#include "hamel/models/sphere_initial.hpp"
#include "hamel/runs/method_spec.hpp"
#include "hamel/runs/reduced_space.hpp"
#include "hamel/runs/simulation.hpp"

namespace hamel {

enum class Precision { double_precision, long_double, quad };

/// Where a bare integration ended: configuration and velocity in full precision.
struct EndPoint {
  Status status = Status::ok;
  std::int64_t steps = 0;  ///< good steps
  std::vector<Quad> q;
  std::vector<Quad> velocity;   ///< omega on spheres, xi in frames
  std::int64_t iterations = 0;  ///< of the solver, in all good steps
};

/// Where a system's states are: z = (q, velocity), velocity as in EndPoint.
struct PhaseSpace {
  int spheres = 0;                       ///< q on so many of them; 0: coordinates in a frame
  std::vector<std::string> coordinates;  ///< names of q in a frame
  std::vector<Quad> start;               ///< the initial state
  bool autonomous = true;                ///< neither drives nor formulas in t
  bool natural = false;                  ///< the frame is that of the coordinates: ξ = q̇

  std::size_t size() const { return start.size(); }
};

/// c_ij^k of [u_i, u_j] = c_ij^k u_k; indices from 0.
struct BracketValue {
  int i, j, k;
  double value;
};
/// The structure functions of a frame at a point.
struct FrameBrackets {
  std::vector<BracketValue> values;    ///< those with i < j that are not zero
  int fields = 0;                      ///< whose brackets these are
  std::vector<std::string> completed;  ///< the fields behind them that k needs, in words
};

/// One step of a method from t = 0, as a map of the phase space.
template <class S>
class StepMap {
 public:
  StepMap() = default;
  StepMap(const StepMap&) = delete;
  StepMap& operator=(const StepMap&) = delete;
  virtual ~StepMap() = default;

  /// False where the step fails, and `to` means nothing. Both have the size of the phase space.
  virtual bool operator()(const std::vector<S>& from, std::vector<S>& to) = 0;

  /// From now on the map of a step of h; false where a new map has to be made for it.
  virtual bool resize(S /*h*/) { return false; }
};

/// The values of a problem's invariants at a point of its phase space; false where there are none.
using InvariantMap = std::function<bool(const std::vector<double>& z, std::vector<double>& values)>;

/// Parameters by name, with their numbers.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

class Problem {
 public:
  virtual ~Problem() = default;

  /// Parameters whose numbers `from` may change.
  virtual std::vector<std::string> parameters() const { return {}; }
  /// The same system from another initial state, given in one of its entry's forms, and with other
  /// numbers for some of its parameters; null where that is not cheaper than making the problem
  /// anew. Throws InputError.
  virtual std::unique_ptr<Problem> from(int /*form*/, const InitialValues&,
                                        const NamedNumbers& /*parameters*/) const {
    return nullptr;
  }
  /// Begins a simulation of the same system anew, at this problem's start and with its numbers;
  /// false where another has to be made. Throws InputError where the method cannot start there.
  virtual bool restart(Simulation&) const { return false; }

  virtual std::unique_ptr<Simulation> simulate(const MethodSpec&,
                                               const IntegrationOptions&) const = 0;
  virtual Claims claims(const MethodSpec&) const = 0;

  /// A plain run without any output, in the given arithmetic: `steps` steps of until/steps, the
  /// quotient taken in that arithmetic (options.step does not matter).
  virtual EndPoint end_point(const MethodSpec&, const IntegrationOptions&, double until,
                             std::int64_t steps, Precision) const = 0;
  /// Forth `steps` with h and back with −h: distance from the start. In Quad: only what the method
  /// itself does not reverse is left.
  virtual double reversal_defect(const MethodSpec&, const IntegrationOptions&,
                                 std::int64_t steps) const = 0;
  /// Of one step at the initial state; nothing where the method has no derivatives.
  virtual std::optional<double> symplectic_defect(const MethodSpec&,
                                                  const IntegrationOptions&) const = 0;

  virtual PhaseSpace phase_space() const = 0;
  /// Without outer work.
  virtual InvariantMap invariant_map() const = 0;
  /// Forgets compensation and warm starts between steps. Methods whose nodes lie elsewhere than at
  /// whole steps have none and throw InputError.
  virtual std::unique_ptr<StepMap<double>> step_map(const MethodSpec&,
                                                    const IntegrationOptions&) const = 0;
  virtual std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec&,
                                                       const IntegrationOptions&) const = 0;

  /// Where relative equilibria are sought; on spheres its axes are not found yet.
  virtual std::shared_ptr<ReducedSpace> reduced_space() const;

  /// Of the frame at the initial state; nothing on spheres.
  virtual std::optional<FrameBrackets> brackets() const { return std::nullopt; }

  /// Largest |w(q̄)·Δq|/(|w| h) over `steps` steps, q̄ halfway, w the one-forms of the constraints:
  /// what a constraint imposed at the middle of a chord sees, O(h²) for the motion itself. Nothing
  /// where there are no constraints, NaN where a step fails.
  virtual std::optional<double> chord_defect(const MethodSpec&, const IntegrationOptions&,
                                             std::int64_t /*steps*/) const {
    return std::nullopt;
  }

  /// The lengths of a chain's links, m; empty where the system is no chain.
  virtual std::vector<double> link_lengths() const { return {}; }

  /// The closed solution at time t, where there is one.
  virtual std::optional<EndPoint> exact(Quad t) const = 0;
};

struct ParameterInfo {
  enum class Kind {
    number,
    count,  ///< a whole number from least to most
    text,   ///< a function given as text; unit then names its variables
    list,   ///< of numbers
    drive,  ///< three formulas in t
  };
  std::string name, unit, description;
  Kind kind = Kind::number;
  Range range = Range::any;
  double preset = 0.0;
  std::string preset_text = {};
  int least = 0;
  int most = 0;
  bool sizes = false;  ///< a list with one entry for each of the `n` parts

  /// What may be given, in words.
  std::string admissible() const;
};

/// The values of a system's parameters: all numbers and texts, other kinds where given.
struct SystemValues {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<double>> lists;
  std::map<std::string, std::vector<std::string>> drives;
};

/// All that the catalogue knows of a system.
struct SystemEntry {
  std::string name, summary, equations, reference, recommended_method;
  std::vector<std::string> coordinates;       ///< of a frame system
  std::vector<std::string> coordinate_units;  ///< theirs; none where a size decides
  std::string figure_x, figure_y;             ///< what to draw of a frame system, see FigureInfo
  std::vector<ParameterInfo> parameters;
  std::vector<std::vector<InitialField>> initial_forms;
  InitialValues default_initial;
  std::string default_start;  ///< in words, where it depends on the size
  double default_step = 0.01;
  double horizon = 0.0;  ///< s; beyond it coordinates overflow. 0: no such limit
  std::vector<InvariantInfo> invariants;
  std::vector<MethodInfo> methods;  ///< those that fit
  bool has_exact = false;
  std::shared_ptr<const void> keep;  ///< owns what the texts above refer to, where that is dynamic

  /// The entry at these values, where coordinates, initial forms and invariants depend on them;
  /// what is above then is for the presets. Throws InputError.
  std::function<std::shared_ptr<const SystemEntry>(const SystemValues&)> at;

  /// Builds the problem from checked values: all parameters, and the fields of one initial form, or
  /// none where default_start tells of one.
  /// Throws InputError; notes receives what was mended.
  std::function<std::unique_ptr<Problem>(const SystemValues&, int initial_form,
                                         const InitialValues&, std::vector<std::string>& notes)>
      make;
};

}  // namespace hamel
