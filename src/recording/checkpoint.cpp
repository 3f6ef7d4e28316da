// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/recording/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include "hamel/core/error.hpp"
#include "hamel/files/posix_file.hpp"

namespace hamel::io {

static_assert(std::endian::native == std::endian::little, "the layout is written as it lies");

namespace {

constexpr std::string_view magic = "HAMELCKP";
constexpr std::uint32_t layout_version = 1;
constexpr std::size_t length_offset = 16;
constexpr std::size_t header_bytes = 24;
constexpr std::size_t checksum_bytes = 8;
// Patches lie in a file, and offsets in files are signed.
constexpr std::uint64_t max_patch_end = std::uint64_t{1} << 62;

// FNV-1a, 64 bits. Every step is a bijection of the hash, so any single changed byte is seen.
constexpr std::uint64_t checksum_start = 0xcbf29ce484222325;
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t hash = checksum_start) {
  for (const auto byte : bytes)
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

class Packer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(std::as_bytes(std::span(&value, 1)));
  }
  template <class Bytes>
  void text(const Bytes& bytes) {
    number(static_cast<std::uint64_t>(bytes.size()));
    raw(std::as_bytes(std::span(bytes.data(), bytes.size())));
  }
  void raw(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class Unpacker {
 public:
  Unpacker(const std::filesystem::path& path, std::span<const std::byte> bytes)
      : path_(path), rest_(bytes) {}

  template <class T>
  T number(std::string_view what) {
    T value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> text(std::string_view what) {
    return take(number<std::uint64_t>(what), what);
  }
  std::string string(std::string_view what) {
    const auto bytes = text(what);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::span<const std::byte> take(std::uint64_t count, std::string_view what) {
    if (count > rest_.size()) damaged(fmt::format("{} is longer than the file", what));
    const auto taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  std::size_t left() const { return rest_.size(); }
  [[noreturn]] void damaged(std::string_view what) const {
    throw IoError(fmt::format("{}: damaged checkpoint: {}", path_.string(), what));
  }

 private:
  const std::filesystem::path& path_;
  std::span<const std::byte> rest_;
};

// Magic, version, length, checksum: in the order in which they explain best what is wrong.
void check_frame(Unpacker in, std::span<const std::byte> bytes) {
  const auto start = in.take(std::min(magic.size(), bytes.size()), "magic");
  if (start.size() < magic.size() || std::memcmp(start.data(), magic.data(), magic.size()) != 0) {
    in.damaged(bytes.empty() ? "the file is empty" : "it does not start with HAMELCKP");
  }
  if (bytes.size() < header_bytes + checksum_bytes) in.damaged("the file is cut off");
  const auto version = in.number<std::uint32_t>("version");
  const auto zero = in.number<std::uint32_t>("zero");
  if (version != layout_version || zero != 0) {
    in.damaged(fmt::format("layout version {}, this program reads {}", version, layout_version));
  }
  const auto length = in.number<std::uint64_t>("length");
  if (length != bytes.size()) {
    in.damaged(fmt::format("it has {} bytes and should have {}", bytes.size(), length));
  }
  std::uint64_t stored;
  std::memcpy(&stored, bytes.last(checksum_bytes).data(), checksum_bytes);
  if (stored != checksum(bytes.first(bytes.size() - checksum_bytes))) {
    in.damaged("the checksum does not match");
  }
}

std::vector<FilePatch> read_patches(Unpacker& in) {
  std::vector<FilePatch> patches;
  for (auto count = in.number<std::uint64_t>("patch count"); count > 0; --count) {
    const auto offset = in.number<std::uint64_t>("patch offset");
    const auto bytes = in.text("patch");
    if (offset > max_patch_end - bytes.size()) in.damaged("a patch lies outside any file");
    patches.push_back({offset, {bytes.begin(), bytes.end()}});
  }
  return patches;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  // Before and behind the state, which may be long and is not copied.
  Packer out;
  Packer rest;
  out.raw(std::as_bytes(std::span(magic)));
  out.number(layout_version);
  out.number(std::uint32_t{0});
  out.number(std::uint64_t{0});  // the length, known at the end
  out.number(checkpoint.step);
  out.number(checkpoint.rows);
  out.number(checkpoint.seconds);
  out.text(checkpoint.identity);
  out.text(checkpoint.scenario);
  out.text(checkpoint.method);
  out.text(checkpoint.recording);
  out.number(static_cast<std::uint64_t>(checkpoint.state.size()));
  rest.number(static_cast<std::uint64_t>(checkpoint.patches.size()));
  for (const auto& patch : checkpoint.patches) {
    rest.number(patch.offset);
    rest.text(patch.bytes);
  }
  const std::uint64_t length =
      out.bytes().size() + checkpoint.state.size() + rest.bytes().size() + checksum_bytes;
  if (length > max_checkpoint_bytes) {
    throw IoError(fmt::format("{}: a checkpoint of {} bytes is over the limit of {}", path.string(),
                              length, max_checkpoint_bytes));
  }
  std::memcpy(out.bytes().data() + length_offset, &length, sizeof length);
  rest.number(checksum(rest.bytes(), checksum(checkpoint.state, checksum(out.bytes()))));
  detail::replace_file(path, {out.bytes(), checkpoint.state, rest.bytes()});
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  const auto file = detail::open_regular(path, O_RDONLY);
  const auto size = detail::size_of(file);
  if (size > max_checkpoint_bytes) {
    throw IoError(fmt::format("{}: damaged checkpoint: {} bytes, over the limit of {}",
                              path.string(), size, max_checkpoint_bytes));
  }
  std::vector<std::byte> bytes(size);
  if (const int error = detail::read_at(file, 0, bytes)) detail::fail(path, "cannot read", error);
  check_frame(Unpacker(path, bytes), bytes);

  Unpacker in(path, std::span(bytes).first(bytes.size() - checksum_bytes));
  in.take(header_bytes, "header");
  Checkpoint checkpoint;
  checkpoint.step = in.number<std::int64_t>("step");
  checkpoint.rows = in.number<std::int64_t>("rows");
  checkpoint.seconds = in.number<double>("seconds");
  if (checkpoint.step < 0 || checkpoint.rows < 0) in.damaged("negative step or row count");
  if (!(checkpoint.seconds >= 0) || !std::isfinite(checkpoint.seconds)) {
    in.damaged("the wall time is not a number of seconds");
  }
  checkpoint.identity = in.string("identity");
  checkpoint.scenario = in.string("scenario");
  checkpoint.method = in.string("method");
  checkpoint.recording = in.string("recording");
  const auto state = in.text("state");
  checkpoint.state.assign(state.begin(), state.end());
  checkpoint.patches = read_patches(in);
  if (in.left() != 0) in.damaged(fmt::format("{} bytes too many", in.left()));
  return checkpoint;
}

std::filesystem::path checkpoint_path(const std::filesystem::path& recording) {
  return detail::with_suffix(detail::behind_links(recording), ".checkpoint");
}

}  // namespace hamel::io
