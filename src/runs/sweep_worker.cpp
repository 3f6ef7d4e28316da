// SPDX-License-Identifier: BSD-3-Clause

#include "sweep_worker.hpp"

#include <algorithm>
#include <limits>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {
constexpr std::int64_t stop_every = 512;  // steps between looks at `stop`
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
}  // namespace

SweepParts::SweepParts(const Simulation& simulation) {
  for (const OutputColumn& column : simulation.columns()) {
    if (column.path.starts_with("/invariants/")) {
      invariants.push_back(column);
    } else if (column.path == divided_steps_column().path) {
      divisible = true;
    } else if (column.path != "/t" && !column.path.starts_with("/solver/")) {
      state.push_back(column);
      state_width += column.width;
    }
  }
}

SweepWorker::SweepWorker(const SweepTask& task, const SweepParts& parts,
                         std::unique_ptr<MemberSource> source, const std::atomic<bool>* stop)
    : task_(task),
      parts_(parts),
      source_(std::move(source)),
      stop_(stop),
      problems_(Batch::most),
      simulations_(Batch::most) {}

SweepWorker::Result SweepWorker::block(std::int64_t first, std::int64_t count) {
  Result result;
  for (std::int64_t i = 0; i < count && result.complete; i += Batch::most)
    batch(first + i, std::min<std::int64_t>(Batch::most, count - i), result);
  return result;
}

void SweepWorker::batch(std::int64_t first, std::int64_t count, Result& result) {
  std::vector<Member> members(static_cast<std::size_t>(count));
  std::vector<Simulation*> started;
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].inputs.assign(task_.inputs.size(), missing);
    try {
      members[i].simulation = prepared(first + static_cast<std::int64_t>(i), i, members[i]);
      started.push_back(members[i].simulation);
    } catch (const InputError& error) {
      members[i].reason = error.what();
    }
  }
  if (!started.empty()) result.in_lanes |= run(started, members);
  if (stopped()) {
    result.complete = false;
    return;
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Status status = members[i].simulation != nullptr ? batch_.status(at++) : Status::invalid;
    note(first + static_cast<std::int64_t>(i), status, members[i], result);
    write(status, members[i], result.rows);
  }
}

Simulation* SweepWorker::prepared(std::int64_t member, std::size_t slot, Member& into) {
  problems_[slot] = source_->make(member, into.inputs.data());
  auto& simulation = simulations_[slot];
  if (!(simulation && source_->one_system() && problems_[slot]->restart(*simulation)))
    simulation = problems_[slot]->simulate(task_.method, task_.integration);
  return simulation.get();
}

bool SweepWorker::run(const std::vector<Simulation*>& started, std::vector<Member>& members) {
  batch_.start(started);
  const bool in_lanes = batch_.in_lanes();
  const std::int64_t measure_every = task_.measure_every > 0 ? task_.measure_every
                                     : in_lanes
                                         ? std::max(started.front()->lane_measure_every(),
                                                    started.front()->suggested_measure_every())
                                         : started.front()->suggested_measure_every();
  keep(members);
  for (std::int64_t n = 0; n < task_.steps && batch_.going() && !stopped();) {
    const std::int64_t to_sample = task_.trajectory_every > 0
                                       ? task_.trajectory_every - n % task_.trajectory_every
                                       : task_.steps;
    const std::int64_t steps = std::min({stop_every, task_.steps - n, to_sample});
    batch_.advance(steps, measure_every);
    n += steps;
    if (task_.trajectory_every > 0 && n % task_.trajectory_every == 0) keep(members);
  }
  return in_lanes;
}

void SweepWorker::keep(std::vector<Member>& members) {
  if (task_.trajectory_every == 0) return;
  std::size_t at = 0;
  for (Member& member : members) {
    if (member.simulation == nullptr) continue;
    if (batch_.status(at++) != Status::ok) continue;
    row_.resize(static_cast<std::size_t>(member.simulation->row_width()));
    member.simulation->write_row(row_.data());
    member.trajectory.insert(member.trajectory.end(), row_.begin(),
                             row_.begin() + 1 + parts_.state_width);
  }
}

void SweepWorker::note(std::int64_t number, Status status, const Member& member, Result& result) {
  const std::int64_t steps = member.simulation != nullptr ? member.simulation->step_count() : 0;
  result.steps += steps;
  if (member.simulation != nullptr) result.divided += member.simulation->divided_steps();
  if (status == Status::ok) return;
  std::string reason = member.simulation != nullptr ? member.simulation->failure() : member.reason;
  if (reason.empty()) reason = meaning(status);
  result.failures.push_back(
      {number, status, member.simulation != nullptr ? steps + 1 : 0, std::move(reason)});
}

void SweepWorker::write(Status status, const Member& member, std::vector<double>& rows) {
  rows.insert(rows.end(), member.inputs.begin(), member.inputs.end());
  Simulation* simulation = member.simulation;
  rows.push_back(static_cast<double>(status));
  rows.push_back(simulation != nullptr ? static_cast<double>(simulation->step_count()) : 0.0);
  rows.push_back(simulation != nullptr ? simulation->iterations_mean() : missing);
  if (parts_.divisible)
    rows.push_back(simulation != nullptr ? static_cast<double>(simulation->divided_steps()) : 0.0);
  const auto state_width = static_cast<std::size_t>(parts_.state_width);
  if (task_.final_state) {
    if (simulation != nullptr) {
      row_.resize(static_cast<std::size_t>(simulation->row_width()));
      simulation->write_row(row_.data());
      rows.insert(rows.end(), row_.begin() + 1, row_.begin() + 1 + parts_.state_width);
    } else {
      rows.insert(rows.end(), state_width, missing);
    }
  }
  if (task_.invariants) {
    const std::size_t count = parts_.invariants.size();
    const std::size_t at = rows.size();
    rows.resize(at + 2 * count, missing);
    if (simulation != nullptr) write_drifts(*simulation, &rows[at], &rows[at + count]);
  }
  if (task_.trajectory_every > 0) write_trajectory(member, rows);
}

void SweepWorker::write_drifts(Simulation& simulation, double* initial, double* largest) const {
  if (source_->one_system()) {
    simulation.write_drifts(initial, largest);
    return;
  }
  for (const InvariantDrift& own : simulation.invariants()) {
    const auto column =
        std::ranges::find(parts_.invariants, "/invariants/" + own.info.name, &OutputColumn::path);
    if (column == parts_.invariants.end()) continue;
    const auto at = column - parts_.invariants.begin();
    initial[at] = own.initial;
    largest[at] = own.max_drift;
  }
}

void SweepWorker::write_trajectory(const Member& member, std::vector<double>& rows) const {
  const auto samples = static_cast<std::size_t>(task_.samples());
  const auto stride = static_cast<std::size_t>(1 + parts_.state_width);
  const std::size_t kept = member.trajectory.size() / stride;
  const auto put = [&](std::size_t from, std::size_t width) {
    for (std::size_t s = 0; s < samples; ++s)
      for (std::size_t c = 0; c < width; ++c)
        rows.push_back(s < kept ? member.trajectory[s * stride + from + c] : missing);
  };
  put(0, 1);
  std::size_t from = 1;
  for (const OutputColumn& column : parts_.state) {
    put(from, static_cast<std::size_t>(column.width));
    from += static_cast<std::size_t>(column.width);
  }
}

}  // namespace hamel
