// SPDX-License-Identifier: BSD-3-Clause

#include "console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace hamel::app {

namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a signal handler sets it
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a signal handler sets it
std::atomic<std::int64_t> requested_at{0};  // ms
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// timeout(1) and batch systems send one signal twice, to the process and to its group.
constexpr std::int64_t one_signal = 500;  // ms

extern "C" void on_signal(int signal) {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1000000;
  if (!stop_requested.load()) {
    requested_at.store(now);
    stop_requested.store(true);
  } else if (now - requested_at.load() > one_signal) {  // the second one ends the program
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

/// Messages that cannot be written are given up: there is nowhere to complain.
void to_stderr(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stderr) == text.size()) std::fflush(stderr);
}

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

}  // namespace

const std::atomic<bool>& interrupted() { return stop_requested; }

void install_interrupt_handler() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

void note(const std::string& text, bool quiet) {
  if (quiet) return;
  // A message is a few lines of plain text, whatever the input that it quotes.
  constexpr std::size_t longest = 600;
  std::string line = "hamel: ";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      line += "\n  ";  // a formula with the caret below the place
    else
      line += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  if (line.size() > longest) {
    line.resize(longest);
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U)
      line.pop_back();  // not in the middle of a character
    if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0U) line.pop_back();
    line += " ...";
  }
  to_stderr(line + "\n");
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> width(header_.size());
  const auto measure = [&](const std::vector<std::string>& row) {
    if (row.size() != header_.size()) return;
    for (std::size_t i = 0; i < row.size(); ++i)
      width[i] = std::max(width[i], display_width(row[i]));
  };
  measure(header_);
  for (const auto& row : rows_) measure(row);
  return width;
}

std::size_t Table::width() const {
  std::size_t total = 0;
  for (const std::size_t w : widths()) total += w + 2;
  return total - 2;
}

void Table::fit(std::size_t columns) {
  while (width() > columns) {
    std::size_t longest = rows_.size();
    std::size_t size = display_width(header_.front());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].size() == header_.size() && display_width(rows_[i].front()) > size) {
        longest = i;
        size = display_width(rows_[i].front());
      }
    if (longest == rows_.size()) return;
    std::vector<std::string> name = {std::move(rows_[longest].front())};
    rows_[longest].front().clear();
    rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(longest), std::move(name));
  }
}

std::string Table::text() const {
  const std::vector<std::size_t> width = widths();
  std::string out;
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(width[i] - std::min(width[i], display_width(row[i])), ' ');
      text += i == 0 ? row[i] + pad : "  " + pad + row[i];
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    out += text + "\n";
  };
  line(header_);
  out += std::string(this->width(), '-') + "\n";
  for (const auto& row : rows_) {
    if (row.size() == header_.size())
      line(row);
    else
      out += row.front() + "\n";
  }
  return out;
}

Progress::Progress(std::string label, std::int64_t total, bool quiet, std::string unit)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (drawn_ && terminal_) to_stderr("\r\033[K");
}

void Progress::update(std::int64_t done, double seconds) {
  if (first_ < 0) {
    first_ = done;
    first_seconds_ = seconds;
    last_ = seconds;
    return;
  }
  const double every = terminal_ ? 0.2 : (drawn_ ? 10.0 : 2.0);
  if (quiet_ || seconds - first_seconds_ < 1.0 || seconds - last_ < every) return;
  last_ = seconds;
  const double rate = static_cast<double>(done - first_) / (seconds - first_seconds_);
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const std::string tail =
      rate > 0.0 ? fmt::format("{:5.1f} %  {:.3g} {}/s  {} left", 100.0 * share, rate, unit_,
                               duration(static_cast<double>(total_ - done) / rate))
                 : fmt::format("{:5.1f} %  none of the {} done yet", 100.0 * share, unit_);
  if (!terminal_) {
    to_stderr(fmt::format("hamel: {}: {}\n", label_, tail));
    drawn_ = true;
    return;
  }
  const std::size_t columns = terminal_columns();
  const std::size_t used = display_width(label_) + tail.size() + 6;
  const std::size_t bar = columns > used + 10 ? std::min<std::size_t>(columns - used, 30) : 0;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar));
  std::string drawing;
  for (std::size_t i = 0; i < bar; ++i) drawing += i < filled ? "█" : "░";
  to_stderr(fmt::format("\r\033[K{} {} {}", label_, drawing, tail));
  drawn_ = true;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t hanging) {
  constexpr std::size_t width = 80;
  const std::string next(hanging > 0 ? hanging : indent, ' ');
  std::string out;
  std::string line(indent, ' ');
  bool empty = true;  // nothing but the indent so far
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!empty && display_width(line) + 1 + display_width(word) > width) {
      out += line + "\n";
      line = next;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string short_number(double x) {
  if (!std::isfinite(x)) return "-";
  if (x == 0.0) return "0";
  return fmt::format("{:.1e}", x);
}

std::string duration(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 100.0) return fmt::format("{:.3g} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace hamel::app
