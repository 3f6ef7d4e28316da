// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a scenario: either an InputError, or a problem that starts, steps and writes itself
// down as a scenario that reads back as the same one. Lines "#set KEY=VALUE", "#method NAME", … at
// the beginning are what --set, --method, --methods, --step, --steps and --until are given.
#include <algorithm>
#include <optional>
#include <string>

#include "hamel/core/error.hpp"
#include "hamel/runs/run.hpp"
#include "hamel/scenario/scenario.hpp"
#include "target.hpp"

namespace {

using namespace hamel;

/// The catalogue, with sizes up to 200: larger systems take their time because they are large.
const Registry& registry() {
  static const Registry all = [] {
    constexpr int most = 200;
    const Registry builtin = builtin_registry();
    Registry limited;
    for (SystemEntry entry : builtin.systems()) {
      for (ParameterInfo& parameter : entry.parameters)
        parameter.most = std::min(parameter.most, most);
      limited.add(std::move(entry));
    }
    return limited;
  }();
  return all;
}

/// What the first lines give to options of the command line.
io::Overrides overrides_of(std::string_view text) {
  io::Overrides overrides;
  const auto take = [&](std::string_view line) {
    const auto value_of = [&](std::string_view option) -> std::optional<std::string> {
      if (!line.starts_with(option)) return std::nullopt;
      return std::string(line.substr(option.size()));
    };
    if (const auto item = value_of("#set ")) overrides.set.push_back(*item);
    if (const auto value = value_of("#method ")) overrides.method = value;
    if (const auto value = value_of("#methods ")) overrides.methods = value;
    if (const auto value = value_of("#step ")) overrides.step = value;
    if (const auto value = value_of("#steps ")) overrides.steps = value;
    if (const auto value = value_of("#until ")) overrides.until = value;
  };
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return overrides;
}

/// The first steps, as `hamel run` makes them.
void try_steps(const io::Scenario& scenario) {
  constexpr int longest_row = 1000;
  constexpr double longest_step = 0.1;  // s; an adaptive method makes up to 100,000 inner ones
  if (scenario.method.name == "fehlberg78" && scenario.integration.step > longest_step) return;
  const auto simulation = scenario.problem->simulate(scenario.method, scenario.integration);
  if (simulation->row_width() > longest_row) return;
  RowTable rows(simulation->row_width(), 3);
  Block block;
  block.steps = 2;
  block.record_every = 1;
  block.rows = &rows;
  simulation->advance(block);
  rows.add([&](double* row) { simulation->write_row(row); });
  simulation->invariants();
  simulation->state();
  simulation->failure();
  simulation->restore(simulation->snapshot());
}

void try_scenario(const std::string& text) {
  try {
    const io::Scenario scenario =
        io::parse_scenario(text, "fuzz.toml", overrides_of(text), registry());
    fuzz::tally().accept();
    const std::string written = scenario.to_toml(scenario.method);
    try {
      const io::Scenario again = io::parse_scenario(written, "fuzz.toml", {}, registry());
      fuzz::require(again.to_toml(again.method) == written, "a scenario changes when read back");
    } catch (const InputError& error) {
      std::fprintf(stderr, "%s\n%s\n", written.c_str(), error.what());
      fuzz::require(false, "what a scenario is written down as is refused");
    }
    try_steps(scenario);
  } catch (const InputError& error) {
    fuzz::require(!error.problems().empty(), "a refusal without a reason");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::begin(size);
  try_scenario({reinterpret_cast<const char*>(data), size});
  return 0;
}
