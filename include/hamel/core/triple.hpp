// SPDX-License-Identifier: BSD-3-Clause
// Triple<V>: vectors of space in lanes, one register a coordinate.
//
// Vec<Lanes<W>, 3> says the same, but as an array, which GCC 12 keeps in memory in the larger
// kernels and copies in halves of a register; reading a whole one back then waits for both.
#pragma once

namespace hamel {

#define HAMEL_TRIPLE __attribute__((always_inline))

template <class V>
struct Triple {
  V x, y, z;

  Triple() = default;
  HAMEL_TRIPLE constexpr Triple(const V& a, const V& b, const V& c) : x(a), y(b), z(c) {}
  // NOLINTBEGIN(modernize-use-equals-default): the compiler's own go by halves, see above
  HAMEL_TRIPLE Triple(const Triple& a) : x(a.x), y(a.y), z(a.z) {}
  HAMEL_TRIPLE Triple& operator=(const Triple& a) {
    x = a.x;
    y = a.y;
    z = a.z;
    return *this;
  }
  // NOLINTEND(modernize-use-equals-default)

  HAMEL_TRIPLE friend Triple operator+(const Triple& a, const Triple& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  HAMEL_TRIPLE friend Triple operator-(const Triple& a, const Triple& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  HAMEL_TRIPLE friend Triple operator*(const V& a, const Triple& b) {
    return {a * b.x, a * b.y, a * b.z};
  }
  HAMEL_TRIPLE friend V dot(const Triple& a, const Triple& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
  HAMEL_TRIPLE friend Triple cross(const Triple& a, const Triple& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

#undef HAMEL_TRIPLE

}  // namespace hamel
