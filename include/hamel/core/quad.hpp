// SPDX-License-Identifier: BSD-3-Clause
// Quad: 113-bit arithmetic for references and for orders that double cannot resolve.
//
// On x86-64 it is __float128 with libquadmath; where long double already has 113 bits (aarch64) it
// is long double and this header adds nothing. Included by core/scalar.hpp, which templates use.
#pragma once

#include <cfloat>
#include <cstdlib>
#include <string>

#if LDBL_MANT_DIG == 113
namespace hamel {
using Quad = long double;
inline Quad quad_from_string(const char* text) { return std::strtold(text, nullptr); }
}  // namespace hamel
#else

// libquadmath, declared here because clang does not find GCC's <quadmath.h>.
extern "C" {
__float128 sqrtq(__float128) noexcept;
__float128 expq(__float128) noexcept;
__float128 logq(__float128) noexcept;
__float128 sinq(__float128) noexcept;
__float128 cosq(__float128) noexcept;
__float128 tanq(__float128) noexcept;
__float128 asinq(__float128) noexcept;
__float128 acosq(__float128) noexcept;
__float128 atanq(__float128) noexcept;
__float128 sinhq(__float128) noexcept;
__float128 coshq(__float128) noexcept;
__float128 tanhq(__float128) noexcept;
__float128 fabsq(__float128) noexcept;
__float128 atan2q(__float128, __float128) noexcept;
__float128 powq(__float128, __float128) noexcept;
__float128 hypotq(__float128, __float128) noexcept;
__float128 strtoflt128(const char*, char**) noexcept;
}

namespace hamel {

using Quad = __float128;

inline Quad sqrt(Quad x) { return sqrtq(x); }
inline Quad exp(Quad x) { return expq(x); }
inline Quad log(Quad x) { return logq(x); }
inline Quad sin(Quad x) { return sinq(x); }
inline Quad cos(Quad x) { return cosq(x); }
inline Quad tan(Quad x) { return tanq(x); }
inline Quad asin(Quad x) { return asinq(x); }
inline Quad acos(Quad x) { return acosq(x); }
inline Quad atan(Quad x) { return atanq(x); }
inline Quad sinh(Quad x) { return sinhq(x); }
inline Quad cosh(Quad x) { return coshq(x); }
inline Quad tanh(Quad x) { return tanhq(x); }
inline Quad atan2(Quad y, Quad x) { return atan2q(y, x); }
inline Quad pow(Quad x, Quad y) { return powq(x, y); }
inline Quad hypot(Quad x, Quad y) { return hypotq(x, y); }
inline Quad abs(Quad x) { return fabsq(x); }
constexpr Quad min(Quad a, Quad b) { return b < a ? b : a; }
constexpr Quad max(Quad a, Quad b) { return a < b ? b : a; }
inline Quad magnitude(Quad x) { return abs(x); }
constexpr Quad value_of(Quad x) { return x; }

/// A decimal literal of any length, e.g. from a golden file.
inline Quad quad_from_string(const char* text) { return strtoflt128(text, nullptr); }

}  // namespace hamel
#endif

namespace hamel {
inline Quad quad_from_string(const std::string& text) { return quad_from_string(text.c_str()); }
}  // namespace hamel
