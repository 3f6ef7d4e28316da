// SPDX-License-Identifier: BSD-3-Clause

#include "overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hamel::io::detail {

namespace {

bool alike(const Drawn& a, const Drawn& b, const Likeness& like) {
  return std::ranges::equal(a.points, b.points, [&](const auto& p, const auto& q) {
    if (!(std::fabs(p[0] - q[0]) <= like.x) || !(std::fabs(p[2] - q[2]) <= like.z)) return false;
    if (like.ratio <= 0) return std::fabs(p[1] - q[1]) <= like.y;
    const double larger = std::max({std::fabs(p[1]), std::fabs(q[1]), log_floor});
    const double smaller = std::max(std::min(std::fabs(p[1]), std::fabs(q[1])), log_floor);
    return larger <= (1 + like.ratio) * smaller;
  });
}

}  // namespace

Likeness likeness(const LinePlot& plot, const std::vector<Drawn>& curves) {
  constexpr double part = 1.0 / 150;
  std::array<double, 2> span{};
  for (const std::size_t k : {0u, 1u}) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const auto& curve : curves)
      for (const auto& p : curve.points) {
        low = std::min(low, p[k]);
        high = std::max(high, p[k]);
      }
    span[k] = high - low;
  }
  if (plot.plane && plot.equal_axes) span[0] = span[1] = std::max(span[0], span[1]);
  return {part * span[0], part * span[1], 0, plot.log_y ? 0.03 : 0};
}

std::vector<Overlap> overlaps(const std::vector<Drawn>& curves, const Likeness& like,
                              std::size_t first) {
  std::vector<Overlap> list(curves.size());
  std::vector<std::size_t> leaders;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    list[i].group = i;
    if (i < first) continue;
    const auto leader = std::ranges::find_if(
        leaders, [&](std::size_t other) { return alike(curves[other], curves[i], like); });
    if (leader == leaders.end()) {
      leaders.push_back(i);
      continue;
    }
    list[i] = {*leader, list[*leader].size++, 0};
  }
  for (auto& overlap : list) overlap.size = list[overlap.group].size;
  return list;
}

std::string overlap_dashes(const Overlap& overlap) {
  constexpr std::size_t dash = 24;
  if (overlap.size < 2) return "";
  if (overlap.place == 0) return "solid";
  return fmt::format("({},{})", dash * (overlap.size - overlap.place), dash * overlap.place);
}

std::string overlap_remark(const std::vector<std::string>& labels,
                           const std::vector<Overlap>& overlaps) {
  std::string text;
  for (std::size_t i = 0; i < overlaps.size(); ++i) {
    if (overlaps[i].size < 2 || overlaps[i].place > 0) continue;
    text += text.empty() ? "On one another: " : "; ";
    for (std::size_t k = i; k < overlaps.size(); ++k)
      if (overlaps[k].group == i) text += (k == i ? "" : ", ") + labels[k];
  }
  return text.empty() ? "" : text + ".";
}

}  // namespace hamel::io::detail
