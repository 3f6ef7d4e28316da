// SPDX-License-Identifier: BSD-3-Clause

#include "hdf5_handle.hpp"

#include <fmt/format.h>

#include <vector>

namespace hamel::io::detail {

namespace {

// HDF5 is one per process, and so is its lock.
std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

herr_t keep_innermost(unsigned depth, const H5E_error2_t* error, void* text) {
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Hdf5Section::Hdf5Section() : lock_(library_mutex()) {
  // Without this HDF5 closes what is still open when the program exits, possibly while a
  // background thread is inside the library. It has no effect once HDF5 is in use.
  static const herr_t no_exit_handler = H5dont_atexit();
  static_cast<void>(no_exit_handler);
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Section::~Hdf5Section() { H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_); }

void require(bool ok, std::string_view what) {
  if (ok) return;
  std::string reason = "no reason given";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  throw Hdf5Error(fmt::format("{} (HDF5: {})", what, reason));
}

Handle opened(hid_t id, Handle::Closer closer, std::string_view what) {
  require(id >= 0, what);
  return {id, closer};
}

namespace {

Handle text_type() {
  auto type = opened(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make the text type");
  require(H5Tset_size(type.id(), H5T_VARIABLE) >= 0 && H5Tset_cset(type.id(), H5T_CSET_UTF8) >= 0,
          "cannot make the text type");
  return type;
}

void write_scalar(hid_t object, const std::string& name, hid_t type, const void* value) {
  const auto what = fmt::format("cannot write the attribute {}", name);
  if (H5Aexists(object, name.c_str()) > 0) require(H5Adelete(object, name.c_str()) >= 0, what);
  const auto space = opened(H5Screate(H5S_SCALAR), H5Sclose, what);
  const auto attribute = opened(
      H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  const hid_t memory = type == H5T_STD_I64LE ? H5T_NATIVE_INT64 : type;
  require(H5Awrite(attribute.id(), memory, value) >= 0, what);
}

std::string read_variable_text(hid_t attribute) {
  const auto type = text_type();
  char* text = nullptr;
  require(H5Aread(attribute, type.id(), static_cast<void*>(&text)) >= 0,
          "cannot read an attribute");
  std::string copy = text != nullptr ? text : "";
  H5free_memory(text);
  return copy;
}

std::string read_fixed_text(hid_t attribute, hid_t type) {
  std::vector<char> text(H5Tget_size(type) + 1, '\0');
  require(H5Aread(attribute, type, text.data()) >= 0, "cannot read an attribute");
  return text.data();
}

herr_t read_one(hid_t object, const char* name, const H5A_info_t*, void* result) noexcept {
  try {
    const auto attribute = opened(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "attribute");
    const auto type = opened(H5Aget_type(attribute.id()), H5Tclose, "attribute");
    const auto space = opened(H5Aget_space(attribute.id()), H5Sclose, "attribute");
    if (H5Sget_simple_extent_npoints(space.id()) != 1) return 0;
    auto& attributes = *static_cast<std::map<std::string, std::string>*>(result);
    if (H5Tis_variable_str(type.id()) > 0) {
      attributes[name] = read_variable_text(attribute.id());
    } else if (H5Tget_class(type.id()) == H5T_STRING) {
      attributes[name] = read_fixed_text(attribute.id(), type.id());
    } else if (H5Tget_class(type.id()) == H5T_INTEGER) {
      std::int64_t number = 0;
      require(H5Aread(attribute.id(), H5T_NATIVE_INT64, &number) >= 0, "attribute");
      attributes[name] = std::to_string(number);
    }
    return 0;
  } catch (...) {
    return -1;  // no exception may cross HDF5's C code; read_attributes reports
  }
}

}  // namespace

Handle uncached() {
  auto access = opened(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "access");
  require(H5Pset_chunk_cache(access.id(), 0, 0, 0) >= 0, "access");
  return access;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const char* start = text.c_str();
  write_scalar(object, name, text_type().id(), static_cast<const void*>(&start));
}

void write_attribute(hid_t object, const std::string& name, std::int64_t number) {
  write_scalar(object, name, H5T_STD_I64LE, &number);
}

std::map<std::string, std::string> read_attributes(hid_t object) {
  std::map<std::string, std::string> attributes;
  require(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, read_one, &attributes) >= 0,
          "cannot read the attributes");
  return attributes;
}

}  // namespace hamel::io::detail
