// SPDX-License-Identifier: BSD-3-Clause
// Preloaded before the program: it dies before a chosen file operation, or its clock goes
// backwards.
//
//   HAMEL_STOP_AT=N      SIGKILL before the N-th operation that changes something on disk, from 1
//   HAMEL_CLOCK_BACK=1   the steady clock runs the wrong way
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

long asked(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atol(text) : 0;
}

void before_operation() {
  static const long last = asked("HAMEL_STOP_AT");
  static std::atomic<long> count{0};
  if (last > 0 && ++count == last) ::kill(::getpid(), SIGKILL);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library's names its own
// way
extern "C" {

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    va_end(list);
    before_operation();
  }
  return next<int(const char*, int, ...)>("open")(path, flags, mode);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  before_operation();
  return next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, bytes, size, offset);
}

int ftruncate(int file, off_t size) noexcept {
  before_operation();
  return next<int(int, off_t)>("ftruncate")(file, size);
}

int unlink(const char* path) noexcept {
  before_operation();
  return next<int(const char*)>("unlink")(path);
}

int rename(const char* from, const char* to) noexcept {
  before_operation();
  return next<int(const char*, const char*)>("rename")(from, to);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const bool back = asked("HAMEL_CLOCK_BACK") > 0;
  const int result = next<int(clockid_t, timespec*)>("clock_gettime")(clock, time);
  if (back && clock == CLOCK_MONOTONIC)
    *time = {2'000'000'000 - time->tv_sec, 999'999'999 - time->tv_nsec};
  return result;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
