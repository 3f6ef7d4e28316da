// SPDX-License-Identifier: BSD-3-Clause

#include "failure_list.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <span>

namespace hamel::io::detail {

namespace {

constexpr std::size_t most_pending = 1 << 16;  // bytes in memory
constexpr const char* header = "member,status,step,reason\n";

/// As a field of CSV, on one line.
std::string quoted(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c == '\n' ? ' ' : c;
  }
  return field + '"';
}

/// The lines that stay: up to the first one, after the header, that is not whole or not of one of
/// the first `members`.
struct Kept {
  std::uint64_t bytes = 0;
  std::int64_t members = 0;
};

Kept kept_of(const std::filesystem::path& path, std::int64_t members) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  Kept kept;
  while (std::getline(file, line) && !file.eof()) {
    if (kept.bytes == 0) {
      if (line + "\n" != header) break;
    } else {
      std::int64_t member = -1;
      const auto read = std::from_chars(line.data(), line.data() + line.size(), member);
      if (read.ec != std::errc() || member >= members) break;
      ++kept.members;
    }
    kept.bytes += line.size() + 1;
  }
  return kept;
}

}  // namespace

std::filesystem::path failures_path(const std::filesystem::path& recording) {
  return with_suffix(behind_links(recording), ".failures.csv");
}

FailureList::FailureList(const std::filesystem::path& recording, std::int64_t members)
    : path_(output_place(failures_path(recording))) {
  const Kept kept = members > 0 ? kept_of(path_, members) : Kept{};
  size_ = kept.members;
  if (size_ > 0) {
    end_ = kept.bytes;
    open();
    if (::ftruncate(file_.value(), static_cast<off_t>(end_)) != 0)
      fail(path_, "cannot write", errno);
  } else if (::unlink(path_.c_str()) != 0 && errno != ENOENT) {
    fail(path_, "cannot remove", errno);
  }
}

void FailureList::open() { file_ = open_file(path_, O_WRONLY | O_CREAT, "cannot write"); }

void FailureList::add(const std::vector<MemberFailure>& failures) {
  for (const MemberFailure& f : failures)
    pending_ +=
        fmt::format("{},{},{},{}\n", f.member, to_string(f.status), f.step, quoted(f.reason));
  size_ += static_cast<std::int64_t>(failures.size());
  if (pending_.size() > most_pending) write();
}

void FailureList::write() {
  if (pending_.empty()) return;
  if (!file_.is_open()) open();
  if (end_ == 0) pending_ = header + pending_;
  if (const int error = write_at(file_, end_, std::as_bytes(std::span(pending_))); error != 0)
    fail(path_, "cannot write", error);
  end_ += pending_.size();
  pending_.clear();
  unsynced_ = true;
}

void FailureList::commit() {
  write();
  if (unsynced_ && ::fsync(file_.value()) != 0) fail(path_, "cannot write", errno);
  unsynced_ = false;
}

}  // namespace hamel::io::detail
