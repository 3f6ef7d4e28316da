// SPDX-License-Identifier: BSD-3-Clause
// Where the parts of a recorded system are in space.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hamel/recording/recording.hpp"

namespace hamel::io::detail {

/// The shape of a system as points and polylines, row by row:
///   a chain            base, base + l_1 q_1, …; one line. Its tip has the path
///   other spheres      the centre, then r q_i; a line to each of them. They have the paths
///   a frame's x, y, z  that point, and no line
class RecordedGeometry {
 public:
  /// Throws InputError where the system has no place in space.
  explicit RecordedGeometry(const RecordingReader& reader);

  int points() const { return points_; }
  /// The points from here on have a path.
  int first_tracked() const { return first_tracked_; }
  int tracked() const { return points_ - first_tracked_; }
  const std::vector<std::vector<std::int64_t>>& lines() const { return lines_; }
  bool has_base() const { return has_base_; }
  bool is_chain() const { return kind_ == Kind::chain; }

  /// The points of one row, three numbers each; base: three numbers where there is one.
  void place(std::span<const double> q, const double* base, double* xyz) const;

 private:
  enum class Kind { chain, spheres, frame };

  Kind kind_ = Kind::frame;
  int points_ = 1;
  int first_tracked_ = 0;
  bool has_base_ = false;
  std::vector<std::vector<std::int64_t>> lines_;
  std::vector<double> lengths_;       // of a chain's links, or the one radius
  int coordinate_[3] = {-1, -1, -1};  // of x, y, z in q
};

}  // namespace hamel::io::detail
