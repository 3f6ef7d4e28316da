// SPDX-License-Identifier: BSD-3-Clause

#include "new_recording.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "hamel/core/error.hpp"
#include "hamel/files/posix_file.hpp"

namespace hamel::io::detail {

namespace fs = std::filesystem;

namespace {

constexpr std::array reserved{"format_version", "columns", "recording_id", "finished"};

void check(const Attributes& attributes, std::vector<std::string>& problems) {
  for (const auto& [name, text] : attributes) {
    if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
      problems.push_back(fmt::format("attribute {}: the name is taken", name));
    }
    if (name.empty() || text.find('\0') != std::string::npos) {
      problems.push_back(fmt::format("attribute '{}': no name, or a zero byte in its text", name));
    }
  }
}

void check(const std::vector<Column>& columns, std::vector<std::string>& problems) {
  std::set<std::string> seen;
  if (columns.empty()) problems.emplace_back("a recording needs at least one column");
  for (const auto& [path, width, unit, description] : columns) {
    if (path.size() < 2 || path.front() != '/' || path.back() == '/' ||
        path.find("//") != std::string::npos || path.find('\n') != std::string::npos) {
      problems.push_back(fmt::format("column '{}': the path is not of the form /group/name", path));
    }
    if (width < 1) problems.push_back(fmt::format("column {}: width {} < 1", path, width));
    if (!seen.insert(path).second) problems.push_back(fmt::format("column {}: twice", path));
  }
}

}  // namespace

void check_attributes(const Attributes& attributes) {
  std::vector<std::string> problems;
  check(attributes, problems);
  if (!problems.empty()) throw InputError(problems);
}

void check_new_recording(const std::vector<Column>& columns, const Attributes& attributes) {
  std::vector<std::string> problems;
  check(columns, problems);
  check(attributes, problems);
  if (!problems.empty()) throw InputError(problems);
}

void check_place(const fs::path& path) {
  std::error_code ignored;
  const auto parent = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  if (!fs::exists(parent, ignored)) {
    throw IoError(
        fmt::format("{}: the directory {} does not exist", path.string(), parent.string()));
  }
  if (!fs::is_directory(parent, ignored)) {
    throw IoError(fmt::format("{}: {} is not a directory", path.string(), parent.string()));
  }
  if (::access(parent.c_str(), W_OK | X_OK) != 0) {
    fail(path, fmt::format("the directory {} is not writable", parent.string()), errno);
  }
}

void check_free(const fs::path& path, bool overwrite) {
  std::error_code ignored;
  if (!overwrite && fs::exists(fs::symlink_status(path, ignored)))
    throw IoError(fmt::format("{}: the file exists already", path.string()));
}

}  // namespace hamel::io::detail
