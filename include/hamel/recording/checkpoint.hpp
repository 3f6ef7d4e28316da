// SPDX-License-Identifier: BSD-3-Clause
// Checkpoint: everything a run needs to go on bit by bit, in one small file that is replaced
// atomically (write beside, fsync, rename, fsync of the directory): a reader sees the old one or
// the new one, never a mixture.
//
// Layout, little-endian, no padding (text = u64 length, then that many bytes):
//
//   offset  type        field
//        0  8 bytes     magic "HAMELCKP"
//        8  u32         layout version (1)
//       12  u32         zero
//       16  u64         length of the whole file
//       24  i64         step           ≥ 0
//       32  i64         rows           ≥ 0
//       40  f64         seconds        finite, ≥ 0
//       48  text × 5    identity, scenario, method, recording, state
//           u64         number of patches, each: u64 offset, text bytes
//    end-8  u64         FNV-1a 64 of all bytes before it
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hamel::io {

/// Bytes that belong at `offset` of a recording.
struct FilePatch {
  std::uint64_t offset = 0;
  std::vector<std::byte> bytes;

  bool operator==(const FilePatch&) const = default;
};

/// The state of a run after `step` steps, with the first `rows` rows of its recording on disk.
struct Checkpoint {
  std::string identity;  ///< program version and ISA path; both must match to go on
  std::string scenario;  ///< the scenario text
  std::string method;
  std::int64_t step = 0;
  std::int64_t rows = 0;
  double seconds = 0;            ///< wall time of the step loop so far
  std::vector<std::byte> state;  ///< opaque: state, compensation, warm starts, accumulators

  // Filled in by RecordingWriter; the caller carries them along.
  std::string recording;           ///< `recording_id` of the recording it belongs to
  std::vector<FilePatch> patches;  ///< writes that bring the recording to this checkpoint (redo)

  bool operator==(const Checkpoint&) const = default;
};

/// Largest checkpoint file written or read, in bytes.
inline constexpr std::uint64_t max_checkpoint_bytes = std::uint64_t{1} << 30;

/// Replaces `path` by `checkpoint`; on failure the old file is still there. Throws IoError.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Reads `path`; any damage is an IoError that says what is wrong. Memory: O(size of the file).
Checkpoint load_checkpoint(const std::filesystem::path& path);

/// The checkpoint beside a recording, or beside the file that a link to it leads to:
/// RECORDING.checkpoint.
std::filesystem::path checkpoint_path(const std::filesystem::path& recording);

}  // namespace hamel::io
