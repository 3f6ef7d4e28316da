// SPDX-License-Identifier: BSD-3-Clause

#include "gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <hamel/core/error.hpp>
#include <iterator>
#include <system_error>

#include "hamel/files/posix_file.hpp"

namespace hamel::io::detail {

namespace fs = std::filesystem;

namespace {

/// Length of the UTF-8 character that `text` begins with, 0 if it is not one.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates, beyond U+10FFFF, U+FFFE and U+FFFF.
  if ((byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F) ||
      (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F) ||
      (byte(0) == 0xEF && byte(1) == 0xBF && byte(2) > 0xBD))
    return 0;
  return length;
}

void check_stem(std::string_view stem) {
  if (stem.empty() || stem == "." || stem == ".." || stem.find('/') != std::string_view::npos ||
      stem != printable(stem))
    throw InputError(fmt::format("figure: '{}' is not a file name", printable(stem)));
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder inside `directory` in which a figure is made; it vanishes with all that is left in it.
class Workshop {
 public:
  explicit Workshop(const fs::path& directory)
      : directory_(directory.empty() ? fs::path(".") : directory) {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error) fail(directory_, "cannot create the folder for figures", error.value());
    std::string name = (directory_ / ".figure-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail(directory_, "cannot write figures there", errno);
    folder_ = name;
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  void write(const std::string& name, std::string_view text) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    errno = 0;
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) fail(directory_ / name, "cannot write", errno != 0 ? errno : EIO);
  }

  /// Runs `script` inside the folder, away from the terminal and with the default signals.
  void run_gnuplot(const std::string& script) const {
    std::array<std::string, 3> words{"gnuplot", "--default-settings", "./" + script};
    const std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(),
                                         nullptr};
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int number : {SIGPIPE, SIGXFSZ}) sigaddset(&usual, number);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawn_file_actions_addchdir_np(&actions, folder_.c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log_name, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, "gnuplot", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT || error == EACCES)
      throw IoError("figures need gnuplot, which was not found (Debian package gnuplot-nox)");
    if (error != 0) fail(directory_ / script, "cannot start gnuplot", error);

    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
      if (errno != EINTR) fail(directory_ / script, "lost gnuplot", errno);
    if (WIFSIGNALED(status))
      throw IoError(fmt::format("{}: gnuplot was ended by signal {}",
                                (directory_ / script).string(), WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0)
      throw IoError(fmt::format("{}: gnuplot failed: {}", (directory_ / script).string(),
                                complaint(WEXITSTATUS(status))));
  }

  /// gnuplot does not notice a full disk: a figure counts if its end is there.
  void check_end(const std::string& name, std::string_view end) const {
    const auto bytes = contents(folder_ / name);
    const auto tail = bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 16));
    if (tail.find(end) == std::string::npos)
      throw IoError(
          fmt::format("{}: gnuplot left it incomplete (disk full?)", (directory_ / name).string()));
  }

  /// Moves the files into the directory, all or none.
  void deliver(const std::vector<std::string>& names) const {
    for (auto name = names.begin(); name != names.end(); ++name) {
      std::error_code error, ignored;
      const fs::path place = output_place(directory_ / *name);
      fs::rename(folder_ / *name, place, error);
      if (error == std::errc::cross_device_link)  // a link led elsewhere
        fs::copy_file(folder_ / *name, place, fs::copy_options::overwrite_existing, error);
      if (!error) continue;
      std::for_each(names.begin(), name,
                    [&](const auto& moved) { fs::remove(directory_ / moved, ignored); });
      fail(directory_ / *name, "cannot write", error.value());
    }
  }

 private:
  static constexpr const char* log_name = ".log";

  /// gnuplot echoes the line and marks the place before it says what is wrong: `"F" line 3: …`.
  std::string complaint(int code) const {
    std::ifstream log(folder_ / log_name);
    std::string first;
    for (std::string line; std::getline(log, line);) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (line[0] == '"' && line.find(" line ") != std::string::npos &&
          line.find("warning") == std::string::npos)
        return printable(line);
      if (first.empty()) first = line;
    }
    return first.empty() ? fmt::format("exit code {}", code) : printable(first);
  }

  fs::path directory_, folder_;
};

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto length = character_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0)
      result += "\uFFFD";
    else if (length == 1 && (first < 0x20 || first == 0x7F))
      result += ' ';
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string gnuplot_string(std::string_view text) {
  // In single quotes everything stands for itself, but '' is not a quote at the beginning of a
  // string or beside another one: a quote comes in double quotes of its own.
  std::string result = "'";
  for (const char c : printable(text)) result += c == '\'' ? "'.\"'\".'" : std::string(1, c);
  return result + "'";
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    if (lines.empty() || width(lines.back()) + 1 + width(word) > columns)
      lines.emplace_back(word);
    else
      lines.back().append(" ").append(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<fs::path> draw_by_gnuplot(const fs::path& directory, const std::string& stem,
                                      std::string_view data, std::string_view script) {
  check_stem(stem);
  const auto svg = stem + ".svg", png = stem + ".png";
  for (const auto& name : {stem + ".dat", stem + ".gp", svg, png}) output_place(directory / name);
  const Workshop workshop(directory);
  workshop.write(stem + ".dat", data);
  workshop.write(stem + ".gp", script);
  workshop.run_gnuplot(stem + ".gp");
  workshop.check_end(svg, "</svg>");
  workshop.check_end(png, "IEND");
  workshop.deliver({stem + ".dat", stem + ".gp", svg, png});
  return {directory / svg, directory / png};
}

}  // namespace hamel::io::detail
