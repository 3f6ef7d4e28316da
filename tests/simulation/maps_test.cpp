// SPDX-License-Identifier: BSD-3-Clause
// What every method makes of every system is a file of the repository, tests/golden/maps.json: a
// change of the program that is meant to change no result is held to it, digit by digit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "hamel/runs/version.hpp"
#include "simulation/map_cases.hpp"

namespace hamel {
namespace {

using nlohmann::json;

const std::string path = HAMEL_GOLDEN_DIR "/maps.json";
const char* const how_to_renew =
    "if that is meant: HAMEL_UPDATE_MAPS=1 HAMEL_ISA=baseline simulation_tests "
    "--gtest_filter='MapsFile.*', and look at the diff of tests/golden/maps.json";

bool is_to_be_written() { return std::getenv("HAMEL_UPDATE_MAPS") != nullptr; }

const json& file() {
  static const json all = [] {
    std::ifstream in(path);
    return json::parse(in);
  }();
  return all;
}

void write_file() {
  json cases, columns;
  for (const std::string& system : map_systems())
    for (const MapCase& c : map_cases(system)) {
      std::string text;
      cases[c.name] = record_of(c, text);
      if (!text.empty()) columns[digest(text)] = text;
    }
  std::ofstream out(path);
  const auto lines = [&out](const char* name, const json& map) {
    out << ",\n\"" << name << "\": {";
    const char* before = "\n";
    for (const auto& [key, value] : map.items()) {
      out << before << json(key) << ": " << value;
      before = ",\n";
    }
    out << "\n}";
  };
  out << "{\n\"about\": \"see README.md\",\n\"mathematics\": \"" << mathematics() << "\"";
  lines("columns", columns);
  lines("cases", cases);
  out << "\n}\n";
  ASSERT_TRUE(out.good()) << path;
}

/// Sums and products have the same bits on every processor of the kind; sin and the like are those
/// of the C library, which has several of each.
bool bits_are_comparable() {
#if defined(__x86_64__)
  static const bool same = file()["mathematics"] == mathematics();
  static const bool told = [] {
    if (!same)
      std::cout << "bits are not compared, states to 1e-10: the functions of the C library ("
                << mathematics() << ") are not those of the file (" << file()["mathematics"]
                << ")\n";
    return true;
  }();
  return told && same;
#else
  return false;
#endif
}

/// The numbers of a list of words, decimal or hexadecimal; words that are none are left out.
std::vector<Quad> numbers_of(const std::string& text) {
  std::vector<Quad> numbers;
  std::istringstream words(text.substr(0, text.rfind(';')));
  for (std::string word; words >> word;) numbers.push_back(quad_from_string(word));
  return numbers;
}

/// What differs by more than so much of the largest number; "" where nothing does.
std::string difference(const std::string& expected, const std::string& found, double tolerance) {
  const std::vector<Quad> e = numbers_of(expected), f = numbers_of(found);
  if (e.size() != f.size())
    return std::to_string(f.size()) + " numbers instead of " + std::to_string(e.size());
  Quad size = 0, worst = -1;
  for (const Quad x : e) size = max(size, abs(x));
  std::size_t at = 0;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (!(abs(f[i] - e[i]) <= worst)) worst = abs(f[at = i] - e[i]);
  if (worst <= Quad(tolerance) * size) return "";
  std::ostringstream text;
  text << "number " << at + 1 << " of " << e.size() << " is off by " << static_cast<double>(worst)
       << ", where the largest is " << static_cast<double>(size);
  return text.str();
}

/// What differs between the records of a case, a line or two each.
std::vector<std::string> differences(const json& expected, const json& found,
                                     const std::string& columns) {
  std::vector<std::string> list;
  const auto differ = [&](const std::string& key, const std::string& what, const json& before,
                          const json& now) {
    list.push_back(key + ": " + what + "\n  file: " + before.dump() + "\n  now:  " + now.dump());
  };
  const auto compare = [&](const char* key, const auto& what_differs) {
    const json before = expected.value(key, json()), now = found.value(key, json());
    if (before == now) return;
    if (const std::string what = what_differs(before, now); !what.empty())
      differ(key, what, before, now);
  };
  const auto exactly = [](const std::string& what) {
    return [what](const json&, const json&) { return what; };
  };
  const auto nearly = [](double tolerance) {
    return [tolerance](const json& before, const json& now) {
      if (!before.is_string() || !now.is_string()) return std::string("is there only once");
      const auto end = [](const std::string& text) { return text.substr(text.rfind(';') + 1); };
      if (tolerance < 1e-20 && end(before) != end(now)) return std::string("ends in another way");
      return difference(before, now, tolerance);
    };
  };
  compare("status", exactly("ends in another way"));
  compare("claims", exactly("others"));
  compare("quad", nearly(1e-28));
  if (bits_are_comparable()) {
    compare("double", [](const json& before, const json& now) {
      return "other bits" + (before.is_string() && now.is_string()
                                 ? ": " + difference(before, now, 0.0)
                                 : std::string());
    });
    compare("rows", exactly("something of a row: t, state, invariants, iterations"));
    compare("iterations", exactly("more or fewer"));
  } else {
    compare("double", nearly(1e-10));
  }
  if (!columns.empty())
    if (const json before = file()["columns"].value(expected.value("columns", ""), json());
        before != columns)
      differ("columns", "others", before, columns);
  return list;
}

class Maps : public testing::TestWithParam<std::string> {};

TEST_P(Maps, AreThoseOfTheFile) {
  if (is_to_be_written()) GTEST_SKIP() << "MapsFile writes";
  const json& cases = file()["cases"];
  for (const MapCase& c : map_cases(GetParam())) {
    const auto expected = cases.find(c.name);
    if (expected == cases.end()) continue;  // MapsFile tells
    std::string columns;
    const json found = record_of(c, columns);
    for (const std::string& what : differences(*expected, found, columns))
      ADD_FAILURE() << c.name << ": " << what;
  }
  if (HasFailure()) ADD_FAILURE() << how_to_renew;
}

INSTANTIATE_TEST_SUITE_P(All, Maps, testing::ValuesIn(map_systems()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

TEST(MapsFile, HasAllCasesAndNoOthers) {
  if (is_to_be_written()) {
    write_file();
    GTEST_SKIP() << "written: " << path;
  }
  std::set<std::string> names;
  for (const std::string& system : map_systems())
    for (const MapCase& c : map_cases(system)) {
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
      EXPECT_TRUE(file()["cases"].contains(c.name)) << c.name << " is not in the file";
    }
  for (const auto& [name, record] : file()["cases"].items())
    EXPECT_TRUE(names.contains(name)) << name << " is gone";
  if (HasFailure()) ADD_FAILURE() << how_to_renew;
}

}  // namespace
}  // namespace hamel
