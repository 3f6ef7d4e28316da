// SPDX-License-Identifier: BSD-3-Clause
// Writes the seeds of the fuzz target recording: seed_recordings FOLDER. Three rows of two or three
// columns, as runs of each family leave them, finished and not; a seed that is not finished has its
// checkpoint behind it, with the state of a run. Run it again when the layout of recordings
// changes.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "hamel/recording/recording.hpp"
#include "hamel/scenario/scenario.hpp"

namespace {

namespace fs = std::filesystem;
using namespace hamel;

std::string taken(const fs::path& path) {
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  fs::remove(path);
  return bytes;
}

struct Seed {
  std::string system, method;
  std::vector<io::Column> columns;
  io::Attributes attributes;
};

std::vector<std::byte> state_of(const Seed& seed) {
  static const Registry registry = builtin_registry();
  const io::Scenario scenario = io::parse_scenario(
      "[system]\nname = \"" + seed.system + "\"\n[integrate]\nmethod = \"" + seed.method + "\"\n",
      "seed.toml", {}, registry);
  return scenario.problem->simulate(scenario.method, scenario.integration)->snapshot();
}

void write_seed(const fs::path& seed, const Seed& of, bool finished) {
  const std::string text = "[system]\nname = \"" + of.system + "\"\nlength = 2.0\n";
  io::Checkpoint checkpoint;
  checkpoint.identity = "hamel";
  checkpoint.scenario = text;
  checkpoint.method = of.method;
  if (!finished) checkpoint.state = state_of(of);

  io::Attributes attributes = of.attributes;
  attributes["system"] = of.system;
  attributes["method"] = of.method;
  attributes["scenario"] = text;
  const fs::path file = seed.string() + ".h5";
  {
    io::RecordingWriter writer(file, of.columns, attributes,
                               {.overwrite = true, .expected_rows = 3});
    for (int row = 0; row < 3; ++row) {
      const auto width = static_cast<std::size_t>(writer.row_width());
      writer.append({1, std::vector<double>(width, 0.25 * row)});
      checkpoint.step = checkpoint.rows = writer.rows();
      writer.commit(checkpoint);
    }
    writer.drain();
    if (finished) writer.close({{"status", "ok"}}, true);
  }
  std::string bytes = taken(file);
  if (!finished) bytes += taken(io::checkpoint_path(file));
  std::ofstream(seed, std::ios::binary) << bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: seed_recordings FOLDER\n";
    return 2;
  }
  const fs::path folder = argv[1];
  fs::create_directories(folder);
  const io::Column t = {"/t", 1, "s", "time"};
  const Seed pendulum = {"spherical_pendulum",
                         "hamel",
                         {t, {"/q", 3, "1", ""}, {"/invariants/energy", 1, "J", "energy"}},
                         {{"summary", "{\"steps\": 3}"}}};
  const Seed chain = {"chain_pendulum",
                      "hamel",
                      {t, {"/q", 6, "1", ""}, {"/tension", 2, "N", ""}},
                      {{"link_lengths", "1.0,0.5"}}};
  const Seed sleigh = {"chaplygin_sleigh",
                       "gauss",
                       {t, {"/q", 3, "", ""}},
                       {{"coordinates", "x,y,theta"}, {"figure", "x,y"}}};
  const Seed coupled = {"coupled_pendula", "variational", {t, {"/q", 6, "1", ""}}, {}};
  write_seed(folder / "pendulum", pendulum, true);
  write_seed(folder / "pendulum_unfinished", pendulum, false);
  write_seed(folder / "chain", chain, true);
  write_seed(folder / "chain_unfinished", chain, false);
  write_seed(folder / "sleigh", sleigh, true);
  write_seed(folder / "sleigh_unfinished", sleigh, false);
  write_seed(folder / "coupled", coupled, true);
  write_seed(folder / "one_column", {"spherical_pendulum", "gauss", {t}, {}}, false);
  // What does not fit together.
  const auto odd = [&](const std::string& name, int width, const io::Attributes& attributes) {
    write_seed(folder / name, {"odd", "", {t, {"/q", width, "", ""}}, attributes}, true);
  };
  odd("odd_width", 4, {});
  odd("odd_no_sphere", 2, {});
  odd("odd_lengths", 9, {{"link_lengths", "1.0,0.5"}});
  odd("odd_numbers", 3, {{"link_lengths", "1.0,x,3"}, {"summary", std::string(2000, '[')}});
  odd("odd_coordinates", 2, {{"coordinates", "z,x,y,w"}, {"figure", "x,w"}});
  odd("odd_figure", 2, {{"coordinates", "x,y"}, {"figure", "xi"}});
}
