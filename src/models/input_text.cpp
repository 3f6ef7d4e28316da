// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/input_text.hpp"

#include <algorithm>
#include <cmath>

namespace hamel {

double InputTable::operator()(double time) const {
  const auto after = std::ranges::upper_bound(t, time);
  if (after == t.begin()) return u.front();
  const auto i = static_cast<std::size_t>(after - t.begin()) - 1;
  if (!linear || after == t.end()) return u[i];
  const double part = (time - t[i]) / (t[i + 1] - t[i]);
  return std::lerp(u[i], u[i + 1], part);
}

}  // namespace hamel
