// SPDX-License-Identifier: BSD-3-Clause
// A snapshot: counters, drift, the view's memory, then the vectors of the state, whose sizes the
// method fixes.
#include <cstring>

#include "hamel/core/error.hpp"
#include "stepped_simulation.hpp"

namespace hamel {

std::size_t SteppedSimulation::snapshot_size() const {
  return sizeof(Counters) + sizeof measured_ + drift_.size() * sizeof(DriftSums) +
         sizeof(double) * (view_->memory().size() + state_.z.size() + state_.carry.size() +
                           state_.memory.size() + state_.held.size());
}

std::vector<std::byte> SteppedSimulation::snapshot() const {
  Counters counters = at_;
  counters.history = state_.history;
  const std::vector<double> memory = view_->memory();
  std::vector<std::byte> bytes;
  bytes.reserve(snapshot_size());
  const auto put = [&](const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), from, from + size);
  };
  put(&counters, sizeof counters);
  put(&measured_, sizeof measured_);
  put(drift_.data(), drift_.size() * sizeof(DriftSums));
  for (const auto* list : {&memory, &state_.z, &state_.carry, &state_.memory, &state_.held})
    put(list->data(), list->size() * sizeof(double));
  return bytes;
}

void SteppedSimulation::restore(const std::vector<std::byte>& bytes) {
  const std::size_t expected = snapshot_size();
  if (bytes.size() != expected)
    throw InputError("the checkpoint holds " + std::to_string(bytes.size()) +
                     " bytes of state, this method has " + std::to_string(expected));
  std::size_t from = 0;
  const auto get = [&](void* data, std::size_t size) {
    if (size > 0) std::memcpy(data, bytes.data() + from, size);
    from += size;
  };
  Counters counters;
  get(&counters, sizeof counters);
  check_counts({counters.n, counters.measured_at, counters.iterations_total,
                counters.iterations_max, counters.iterations_last, counters.history,
                counters.divided});
  at_ = counters;
  get(&measured_, sizeof measured_);
  get(drift_.data(), drift_.size() * sizeof(DriftSums));
  std::vector<double> memory = view_->memory();
  for (auto* list : {&memory, &state_.z, &state_.carry, &state_.memory, &state_.held})
    get(list->data(), list->size() * sizeof(double));
  view_->remember(memory.data());
  state_.history = at_.history;
  if (observe()) view_->start_watch(seen_->data(), time());
  if (guarded()) mark();
}

}  // namespace hamel
