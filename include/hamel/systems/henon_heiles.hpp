// SPDX-License-Identifier: BSD-3-Clause
// Hénon and Heiles' star in a galaxy, in a frame that turns from place to place.
//
//   L = ½(ẋ² + ẏ²) − U,   U = ½(x² + y²) + x²y − y³/3,                            [MATH 2.4]
//   u1 = cosα ∂x + sinα ∂y,  u2 = −sinα ∂x + cosα ∂y,   α = k(2x − y + xy).
// k = 1 is the frame of MATH 2.4, k = 0 that of coordinates. The motion is the same in both, the
// discrete Hamel step is not: symplectic for k = 0 only. Units are such that the star's mass and
// frequency are 1. Source of U: M. Hénon, C. Heiles, Astron. J. 69 (1964) 73.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

struct HenonHeiles {
  Expression rotation = 1.0;

  static constexpr std::string_view summary = "a star in a galaxy, in a frame that turns";
  static constexpr std::string_view equations =
      "x'' = -x - 2xy,  y'' = -y - x^2 + y^2;  xi = (x', y') turned by -alpha, alpha = rotation "
      "(2x "
      "- y + xy)";
  static constexpr std::string_view reference = "MATH 2.4; M. Henon, C. Heiles 1964";
  static constexpr std::string_view recommended_method = "hamel(principle=pontryagin)";
  static constexpr Parameter<HenonHeiles, Expression> parameters[] = {
      {"rotation", "1", "how much the frame turns: 0 for the coordinate frame", Range::any,
       &HenonHeiles::rotation}};
  static constexpr CoordinateInfo coordinates[] = {{"x", "1"}, {"y", "1"}};

  template <class S>
  S lagrangian(const Vec<S, 2>& q, const Vec<S, 2>& v) const {
    const auto& [x, y] = q.data;
    const S U = S(0.5) * (x * x + y * y) + x * x * y - y * y * y / S(3.0);  // [MATH 2.4]
    return S(0.5) * (v[0] * v[0] + v[1] * v[1]) - U;
  }
  template <class S>
  Mat<S, 2, 2> frame(const Vec<S, 2>& q) const {
    const S alpha = S(rotation) * (S(2.0) * q[0] - q[1] + q[0] * q[1]);  // [MATH 2.4]
    return {{{cos(alpha), sin(alpha)}, {-sin(alpha), cos(alpha)}}};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.1, -0.2}}, {"xi", {0.3, 0.25}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
