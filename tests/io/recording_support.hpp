// SPDX-License-Identifier: BSD-3-Clause
// Rows whose every value tells where it belongs, and what the tests of recordings do with them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "hamel/recording/recording.hpp"
#include "hamel/runs/row_table.hpp"

namespace hamel::io::testing {

/// A directory of one's own, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "hamel_io_XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) root_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  std::filesystem::path operator/(const std::string& name) const { return root_ / name; }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(root_)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path root_;
};

inline std::vector<Column> some_columns() {
  return {{"/t", 1, "s", "time"},
          {"/q", 3, "1", "direction of the rod, |q| = 1"},
          {"/invariants/energy", 1, "J", ""},
          {"/solver/iterations", 1, "1", "Newton iterations"}};
}
inline constexpr int some_width = 6;

/// Value `column` of row `row`, different for all, with bits in the whole mantissa.
inline double value_at(std::int64_t row, std::int64_t column) {
  return (static_cast<double>(row) * some_width + static_cast<double>(column) + 1.0) / 3.0;
}

/// Hands over the rows [first, first + rows) in one block.
inline void append_rows(RecordingWriter& writer, std::int64_t rows) {
  std::vector<int> widths;
  for (const Column& column : some_columns()) widths.push_back(column.width);
  RowTable table(widths);
  table.reset(writer.take_buffer().data, rows);
  const auto first = writer.rows();
  for (std::int64_t row = first; row < first + rows; ++row)
    table.add([&](double* to) {
      for (int column = 0; column < some_width; ++column) to[column] = value_at(row, column);
    });
  writer.append({rows, table.take()});
}

inline Checkpoint checkpoint_of(const RecordingWriter& writer) {
  Checkpoint checkpoint;
  checkpoint.identity = "0.1 avx2";
  checkpoint.scenario = "[system]\n";
  checkpoint.method = "variational";
  checkpoint.step = checkpoint.rows = writer.rows();
  checkpoint.state.assign(300, static_cast<std::byte>(writer.rows()));
  return checkpoint;
}

inline void commit(RecordingWriter& writer) { writer.commit(checkpoint_of(writer)); }

/// The number of values among the first `rows` rows that are not, bit by bit, what was written.
inline std::int64_t wrong_values(RecordingReader& reader, std::int64_t rows) {
  std::int64_t wrong = 0;
  std::int64_t column = 0;
  for (const auto& [path, width, unit, description] : reader.columns()) {
    const auto values = reader.read(path, 0, rows);
    for (std::int64_t i = 0; i < rows * width; ++i) {
      const auto expected = value_at(i / width, column + i % width);
      wrong += std::bit_cast<std::uint64_t>(values[static_cast<std::size_t>(i)]) !=
               std::bit_cast<std::uint64_t>(expected);
    }
    column += width;
  }
  return wrong;
}

/// Of what a test draws at random: HAMEL_SEED, or a fixed number. To be told where it fails.
inline unsigned seed_of_moments(unsigned preset) {
  const char* wanted = std::getenv("HAMEL_SEED");
  return wanted != nullptr ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : preset;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void set_contents(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);  // replacing a file in place would wait for the disk
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

/// The text of the exception `Error` that `action` throws; fails the test if it throws none.
template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no exception";
  return {};
}

}  // namespace hamel::io::testing
