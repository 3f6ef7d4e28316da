// SPDX-License-Identifier: BSD-3-Clause
// RecordingSink: what a run hands over, into a recording with checkpoints.
#pragma once

#include <filesystem>
#include <memory>

#include "hamel/recording/recording.hpp"
#include "hamel/runs/run.hpp"
#include "hamel/scenario/result.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

class RecordingSink final : public RowSink {
 public:
  /// A new recording of this simulation.
  RecordingSink(const std::filesystem::path& path, bool overwrite, const Scenario& scenario,
                const MethodSpec& method, const Simulation& simulation);
  /// One that goes on after a checkpoint; with damaged_too also where rows are damaged.
  RecordingSink(const std::filesystem::path& path, const Checkpoint& checkpoint,
                const Scenario& scenario, bool damaged_too = false);

  std::vector<double> take_buffer() override;
  void rows(std::vector<double>&& data, std::int64_t count) override;
  void checkpoint(const Simulation& simulation, double seconds) override;
  void settle() override { writer_.drain(); }

  /// Ends the recording with the result's summary. An interrupted one can be resumed.
  void finish(const RunResult& result);

 private:
  Checkpoint base_;  // scenario, method, identity: the same in every checkpoint
  RecordingWriter writer_;
};

/// Program version and instruction-set path: both must match for a bit-identical continuation.
std::string build_identity();

}  // namespace hamel::io
