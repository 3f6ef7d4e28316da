// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a recording, read as `hamel info`, `plot`, `export` and `resume` read it: what they
// throw is InputError or IoError, whatever the bytes are. What stands from the last "HAMELCKP" on
// is the checkpoint beside the recording; it is tried as it is, and with its length and checksum
// mended, which no mutation would hit.
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "figures/figure_data.hpp"
#include "hamel/core/error.hpp"
#include "hamel/recording/exports.hpp"
#include "hamel/recording/recording.hpp"
#include "hamel/scenario/result.hpp"
#include "hamel/scenario/scenario.hpp"
#include "recording/recording_file.hpp"
#include "run_figures.hpp"
#include "target.hpp"

namespace {

namespace fs = std::filesystem;
using namespace hamel;

/// A folder in memory, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::error_code ignored;
    std::string name = fs::is_directory("/dev/shm", ignored) ? "/dev/shm" : "/tmp";
    name += "/hamel_fuzz_XXXXXX";
    fuzz::require(::mkdtemp(name.data()) != nullptr, "no scratch folder");
    root_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  fs::path recording() const { return root_ / "run.h5"; }

 private:
  fs::path root_;
};

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// The checkpoint with its length and checksum (FNV-1a) as they should be.
std::string sealed(std::string bytes) {
  if (bytes.size() < 32) return bytes;
  const std::uint64_t length = bytes.size();
  std::memcpy(bytes.data() + 16, &length, sizeof length);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3;
  std::memcpy(bytes.data() + bytes.size() - 8, &hash, sizeof hash);
  return bytes;
}

/// What is refused is refused in these two ways; any other exception ends the process.
template <class Action>
void attempt(Action&& action) {
  // NOLINTBEGIN(bugprone-empty-catch): the reason is for the user
  try {
    action();
  } catch (const InputError&) {
  } catch (const IoError&) {
  }
  // NOLINTEND(bugprone-empty-catch)
}

std::FILE* null_device() {
  static std::FILE* const file = std::fopen("/dev/null", "w");
  return file;
}

void as_info(const fs::path& path) {
  io::RecordingReader reader(path);
  fuzz::tally().accept();
  for (const auto& [name, text] : reader.attributes()) io::json_text(io::json_of(text));
  if (reader.rows() > 0) reader.read("/t", reader.rows() - 1, 1);
  for (const io::Column& column : reader.columns())
    reader.read(column.path, 0, std::min<std::int64_t>(reader.rows(), 3));
  reader.damage();
}

void as_plot(const fs::path& path) {
  app::each_figure({path}, [](const app::Figure& figure) {
    std::visit([](const auto& plot) { io::detail::drawn(plot); }, figure);
  });
}

void as_export(const fs::path& path) {
  io::RecordingReader reader(path);
  attempt([&] { io::write_csv(reader, null_device(), 1); });
  attempt([&] { io::write_vtk(reader, path.parent_path() / "vtk", "run", {}); });
}

/// What `resume` does with the file: cuts it to its checkpoint, writes on, closes it.
void as_resume(const fs::path& path) {
  io::Checkpoint checkpoint = io::load_checkpoint(io::checkpoint_path(path));
  auto file = io::detail::RecordingFile::reopen(path, checkpoint, {.damaged_too = true});
  int width = 0;
  for (const io::Column& column : file.columns()) width += column.width;
  constexpr int longest_row = 1000;
  if (width > longest_row) return;
  file.append({2, std::vector<double>(static_cast<std::size_t>(2 * width), 0.5)});
  checkpoint.rows = file.rows();
  checkpoint.patches.clear();
  file.commit(checkpoint);
  file.finish({{"status", "ok"}}, false);
  io::RecordingReader(path).read(file.columns().front().path, file.rows() - 1, 1);
}

/// A simulation that takes any state and forgets it again.
class Resumed {
 public:
  explicit Resumed(const std::string& system) {
    static const Registry registry = builtin_registry();
    const io::Scenario scenario =
        io::parse_scenario("[system]\nname = \"" + system + "\"\n", "resumed.toml", {}, registry);
    simulation_ = scenario.problem->simulate(scenario.method, scenario.integration);
    start_ = simulation_->snapshot();
    rows_ = RowTable(simulation_->row_width(), 3);
  }
  void go_on_from(const std::vector<std::byte>& state) {
    simulation_->restore(start_);
    simulation_->restore(state);
    Block block;
    block.steps = 2;
    block.record_every = 1;
    rows_.reset(rows_.take(), 3);
    block.rows = &rows_;
    simulation_->advance(block);
    simulation_->invariants();
  }

 private:
  std::unique_ptr<Simulation> simulation_;
  std::vector<std::byte> start_;
  RowTable rows_{1, 0};
};

/// What `resume` does with the state.
void as_restored(const io::Checkpoint& checkpoint) {
  static Resumed pendulum("spherical_pendulum");
  static Resumed chain("chain_pendulum");
  attempt([&] { pendulum.go_on_from(checkpoint.state); });
  attempt([&] { chain.go_on_from(checkpoint.state); });
}

void try_recording(std::string_view bytes) {
  static const Scratch scratch;
  const fs::path path = scratch.recording();
  const fs::path sidecar = io::checkpoint_path(path);
  const std::size_t split = std::min(bytes.rfind("HAMELCKP"), bytes.size());
  const std::string checkpoint(bytes.substr(split));
  write(path, bytes.substr(0, split));
  if (!checkpoint.empty()) {
    write(sidecar, checkpoint);
    attempt([&] { io::load_checkpoint(sidecar); });
    write(sidecar, sealed(checkpoint));
    attempt([&] { as_restored(io::load_checkpoint(sidecar)); });
  }
  attempt([&] { as_info(path); });
  attempt([&] { as_plot(path); });
  attempt([&] { as_export(path); });
  if (!checkpoint.empty()) attempt([&] { as_resume(path); });
  std::error_code ignored;
  fs::remove(path, ignored);
  fs::remove(sidecar, ignored);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::begin(size);
  try_recording({reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifdef HAMEL_LIBFUZZER
// The names are libFuzzer's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Every other change leaves all else in its place: a byte that is inserted moves everything behind
/// it, and what no address leads to any more is soon refused.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  if (size < 16 || below(2) == 0) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
    const std::size_t bytes = std::size_t{1} << below(4);
    std::uint8_t* const at = data + below(size - 8);
    if (below(2) == 0)
      std::memmove(at, data + below(size - 8), bytes);
    else
      LLVMFuzzerMutate(at, bytes, bytes);
  }
  return size;
}
// NOLINTEND(readability-identifier-naming)
#endif
