// SPDX-License-Identifier: BSD-3-Clause
// What the user sees: notes, tables, progress; and Ctrl-C.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace hamel::app {

/// Set by SIGINT and SIGTERM once install_interrupt_handler() was called. A second signal, half a
/// second later or more, ends the program at once.
const std::atomic<bool>& interrupted();
void install_interrupt_handler();

/// A line on stderr, "hamel: …".
void note(const std::string& text, bool quiet = false);

/// Aligned columns; the first is left-aligned, the others right-aligned. A row with one cell is a
/// full-width line.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;
  /// Makes it at most so wide, if need be: the longest first cells get lines of their own.
  void fit(std::size_t columns);
  /// Characters of its longest line.
  std::size_t width() const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// Progress on stderr: a bar with rate and time left on a terminal, a line every ten seconds
/// otherwise. Shows nothing for work that ends within a second.
class Progress {
 public:
  /// unit: what is counted.
  Progress(std::string label, std::int64_t total, bool quiet, std::string unit = "steps");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::int64_t done, double seconds);

 private:
  std::string label_;
  std::string unit_;
  std::int64_t total_;
  std::int64_t first_ = -1;  // where this process began; a resumed run does not start at 0
  double first_seconds_ = 0.0;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  double last_ = 0.0;
};

/// The text in lines of at most 80 columns, indented; further lines by `hanging` if given.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t hanging = 0);

/// 3.1e-15, or "-" for what is not known.
std::string short_number(double x);
/// A duration in ns, µs, ms or s with three digits.
std::string duration(double seconds);
/// Display width in columns of a UTF-8 text.
std::size_t display_width(const std::string& text);

}  // namespace hamel::app
