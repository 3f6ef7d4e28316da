// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/batch.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace hamel {

namespace {

constexpr std::size_t lanes = Batch::most;
constexpr std::int64_t steps_at_once = std::int64_t{1} << 40U;
constexpr std::size_t alignment = 64;  // of the widest registers

// Whether one kernel can step both.
bool alike(const LaneAccess& a, const LaneAccess& b) {
  if (a.steps.kernel != b.steps.kernel || a.steps.links != b.steps.links ||
      a.steps.constants.size() != b.steps.constants.size() || a.state.size() != b.state.size() ||
      a.memory.size() != b.memory.size())
    return false;
  const auto same = [](const auto* x, const auto* y) {
    return x == nullptr || y == nullptr ? x == y : hamel_lanes::same_programs(*x, *y);
  };
  return same(a.steps.equations, b.steps.equations) && same(a.steps.field, b.steps.field);
}

}  // namespace

void Batch::start(std::vector<Simulation*> members) {
  members_ = std::move(members);
  status_.assign(members_.size(), Status::ok);
  n_ = 0;
  kernel_ = nullptr;
  enter_lanes();
}

void Batch::enter_lanes() {
  access_.clear();
  lane_members_.clear();
  if (!hamel_lanes::kernels_chosen()) return;
  for (Simulation* member : members_) {
    auto access = member->lane_access();
    if (!access || access->steps.kernel == nullptr) return;
    access_.push_back(std::move(*access));
  }
  choose_lane_members();
  const LaneAccess& one = access_[lane_members_.front()];
  const std::size_t numbers = one.state.size() + one.memory.size();
  state_.resize(numbers * lanes);
  constants_.resize(one.steps.constants.size() * lanes);
  scratch_.resize(static_cast<std::size_t>(one.steps.scratch) * lanes + alignment / sizeof(double));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    // Lanes without a member repeat the first one.
    const LaneAccess& from = access_[lane_members_[lane < lane_members_.size() ? lane : 0]];
    for (std::size_t i = 0; i < from.state.size(); ++i) state_[i * lanes + lane] = from.state[i];
    for (std::size_t i = 0; i < from.memory.size(); ++i)
      state_[(from.state.size() + i) * lanes + lane] = from.memory[i];
    for (std::size_t i = 0; i < from.steps.constants.size(); ++i)
      constants_[i * lanes + lane] = from.steps.constants[i];
  }
  kernel_ = one.steps.kernel;
  most_unseen_ = steps_at_once;
  for (const std::size_t member : lane_members_)
    if (const std::int64_t every = members_[member]->lane_observe_every(); every > 0)
      most_unseen_ = std::min(most_unseen_, every);
  task_ = {};
  task_.members = static_cast<int>(lane_members_.size());
  task_.state = state_.data();
  task_.constants = constants_.data();
  void* scratch = scratch_.data();
  std::size_t room = scratch_.size() * sizeof(double);
  task_.scratch = static_cast<double*>(std::align(alignment, alignment, scratch, room));
  task_.links = one.steps.links;
  task_.equations = one.steps.equations;
  task_.field = one.steps.field;
  task_.table = one.steps.table;
  task_.h = one.h;
  task_.tolerance = one.steps.solver.tolerance;
  task_.max_iterations = one.steps.solver.max_iterations;
}

// Formulas come out differently for some parameters: a mass of zero leaves no term or another
// system, two equal ones are one constant. Those that most have go in lanes.
void Batch::choose_lane_members() {
  std::vector<std::size_t> together;
  for (std::size_t first = 0; first < access_.size(); ++first) {
    together.clear();
    for (std::size_t i = first; i < access_.size(); ++i)
      if (alike(access_[first], access_[i])) together.push_back(i);
    if (together.size() > lane_members_.size()) lane_members_ = together;
    if (lane_members_.size() >= access_.size() - first - 1) return;
  }
}

bool Batch::going() const {
  return std::ranges::any_of(status_, [](Status s) { return s == Status::ok; });
}

void Batch::advance(std::int64_t steps, std::int64_t measure_every) noexcept {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (std::ranges::find(lane_members_, i) == lane_members_.end())
      advance_single(i, steps, measure_every);
  const std::int64_t end = n_ + steps;
  while (kernel_ != nullptr && n_ < end && going()) {
    const std::int64_t begin = n_;
    const hamel_lanes::EnsembleOutcome outcome = advance_lanes(end, measure_every);
    for (std::size_t lane = 0; lane < lane_members_.size(); ++lane) {
      if (outcome.single[lane] == 0 || lane_members_[lane] == nobody) continue;
      advance_single(std::exchange(lane_members_[lane], nobody), end - begin - outcome.done[lane],
                     measure_every);
    }
    fill_left_lanes();
  }
}

void Batch::advance_single(std::size_t member, std::int64_t steps,
                           std::int64_t measure_every) noexcept {
  if (status_[member] != Status::ok) return;
  Block block;
  block.steps = steps;
  block.measure_every = measure_every;
  status_[member] = members_[member]->advance(block);
}

hamel_lanes::EnsembleOutcome Batch::advance_lanes(std::int64_t end,
                                                  std::int64_t measure_every) noexcept {
  const std::int64_t steps = std::min({end - n_, measure_every - n_ % measure_every, most_unseen_});
  hamel_lanes::EnsembleOutcome outcome{};
  task_.steps = steps;
  task_.history = n_;
  kernel_(task_, outcome);
  n_ += steps;
  for (std::size_t lane = 0; lane < lane_members_.size(); ++lane) {
    const std::size_t member = lane_members_[lane];
    if (member == nobody || status_[member] != Status::ok) continue;
    const LaneAccess& to = access_[member];
    for (std::size_t i = 0; i < to.state.size(); ++i) to.state[i] = state_[i * lanes + lane];
    for (std::size_t i = 0; i < to.memory.size(); ++i)
      to.memory[i] = state_[(to.state.size() + i) * lanes + lane];
    const bool due = outcome.done[lane] == steps && n_ % measure_every == 0;
    const bool between = outcome.done[lane] == steps && !due && n_ < end;
    status_[member] =
        members_[member]->stepped({outcome.done[lane], outcome.iterations[lane],
                                   static_cast<Status>(outcome.status[lane]), due, between});
  }
  return outcome;
}

void Batch::fill_left_lanes() noexcept {
  const auto stays = [&](std::size_t m) { return m != nobody && status_[m] == Status::ok; };
  const auto one = std::ranges::find_if(lane_members_, stays);
  if (one == lane_members_.end()) {
    kernel_ = nullptr;
    return;
  }
  const auto from = static_cast<std::size_t>(one - lane_members_.begin());
  for (std::size_t lane = 0; lane < lane_members_.size(); ++lane)
    if (lane_members_[lane] == nobody)
      for (auto* list : {&state_, &constants_})
        for (std::size_t i = 0; i < list->size(); i += lanes) (*list)[i + lane] = (*list)[i + from];
}

}  // namespace hamel
