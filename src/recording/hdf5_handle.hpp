// SPDX-License-Identifier: BSD-3-Clause
// HDF5 behind RAII: handles that close themselves, errors as exceptions, nothing on stderr.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace hamel::io::detail {

/// An HDF5 call that failed; the caller adds the name of the file and makes it an IoError.
class Hdf5Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Every use of HDF5 happens while one of these lives. It serialises the calls (the library may
/// have been built without its own lock) and silences the error traces HDF5 would print, giving
/// the host program its own printer back at the end. Not recursive.
class Hdf5Section {
 public:
  Hdf5Section();
  Hdf5Section(const Hdf5Section&) = delete;
  Hdf5Section& operator=(const Hdf5Section&) = delete;
  ~Hdf5Section();

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// An HDF5 identifier together with the function that closes it.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t id() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  herr_t close() noexcept { return id_ >= 0 ? closer_(std::exchange(id_, -1)) : 0; }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

/// Throws Hdf5Error "WHAT: innermost reason HDF5 gives" if `ok` is false.
void require(bool ok, std::string_view what);

/// A handle from the result of an HDF5 call; throws Hdf5Error if it failed.
Handle opened(hid_t id, Handle::Closer closer, std::string_view what);

/// How datasets of rows are opened: without HDF5's cache of chunks, so that what is read or written
/// goes straight to its place, and no more than that.
Handle uncached();

/// Sets an attribute, replacing one of that name. Text is UTF-8 of any length.
void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, std::int64_t number);

/// All attributes of an object that are text or whole numbers, the latter in decimals.
std::map<std::string, std::string> read_attributes(hid_t object);

}  // namespace hamel::io::detail
