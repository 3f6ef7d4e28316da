// SPDX-License-Identifier: BSD-3-Clause

#include "simulation/allocations.hpp"

#include <cerrno>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define HAMEL_COUNTS_ALLOCATIONS 0
#else
#define HAMEL_COUNTS_ALLOCATIONS 1
#endif

// NOLINTBEGIN: replacing an allocator is what this is
namespace {
thread_local constinit std::size_t count = 0;  // of this thread; sweeps have others
}

#if HAMEL_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  ++count;
  return __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++count;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
#endif
// NOLINTEND

namespace hamel {

std::size_t allocations() { return count; }
bool allocations_are_counted() { return HAMEL_COUNTS_ALLOCATIONS != 0; }

}  // namespace hamel
