// SPDX-License-Identifier: BSD-3-Clause
// Which brackets of a frame are refused, at which point, and what is said then.
#include "hamel/runs/frame_brackets.hpp"

#include "bracket_numbers.hpp"
#include "frame_points.hpp"
#include "hamel/core/error.hpp"

namespace hamel {

using bracket_numbers::Brackets;
using bracket_numbers::vector_text;

namespace {

/// Where brackets that are none of the frame's could enter the equations of motion.
bool uncertain(const FrameModel& model) {
  return model.quasi &&
         (model.brackets_given || model.frame.size() + model.complement.size() != model.q.size());
}

}  // namespace

void check_brackets(const FrameModel& model, const std::vector<double>& q) {
  if (!uncertain(model)) return;
  if (const int rank = frame_rank(model, q); !model.brackets_given && rank < model.fields()) {
    FrameModel none = model;  // a projection would give some, and wrong dynamics
    none.brackets_given = true;
    Brackets brackets(none);
    if (!brackets.look(q)) return;  // the equations are not finite either
    const std::string own = brackets.own_list(points_near(model, q));
    throw InputError(
        "the frame is redundant: its " + std::to_string(model.fields()) + " fields span only " +
            std::to_string(rank) +
            " dimensions at the initial state. Its brackets cannot be found by "
            "differentiation (a projection would give wrong dynamics): give `brackets`" +
            (own.empty() ? "" : "; constant ones that the fields have are " + own),
        "system.frame");
  }
  Brackets brackets(model);
  const auto points = points_near(model, q);
  for (const auto& point : points) {
    if (!brackets.look(point)) continue;
    const std::string fault = brackets.fault();
    if (fault.empty()) continue;
    const std::string where = &point == &points.front()
                                  ? " at the initial state"
                                  : " at q = " + vector_text({point.begin(), point.end()});
    if (!model.brackets_given)
      throw InputError("the brackets of the frame leave the span of its fields: " + fault + where +
                           "; give the fields that are missing as `complement`, and their "
                           "quasi-velocities in the Lagrangian",
                       "system.frame");
    const std::string own = brackets.own_list(points);
    throw InputError("the brackets given are not those of the frame: " + fault + where +
                         (own.empty() ? "" : "; the frame has " + own),
                     "system.brackets");
  }
}

void pin_brackets(FrameModel& model, const std::vector<double>& q) {
  std::vector<double> others = model.nominal();
  for (double& number : others) number = 1.25 * number + 0.1;
  try {
    check_brackets(model.specialised(others), q);
  } catch (const InputError&) {
    Expressions entries;
    for (const auto* rows : {&model.frame, &model.complement})
      for (const Expressions& row : *rows) entries.insert(entries.end(), row.begin(), row.end());
    for (const Bracket& bracket : model.brackets) entries.push_back(bracket.value);
    for (const Expression& entry : entries) model.graph->pin(entry);
  }
}

std::string bracket_remark(const FrameModel& model, const std::vector<double>& q) {
  if (!model.quasi || !model.brackets_given) return "";
  Brackets brackets(model);
  if (!brackets.look(q) || !brackets.dependent()) return "";
  return "brackets: the fields are dependent, so [u_i, u_j] = c_ij^k u_k, which holds, determines "
         "them only up to combinations of the fields that do not move q";
}

}  // namespace hamel
