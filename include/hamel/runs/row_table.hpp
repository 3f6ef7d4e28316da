// SPDX-License-Identifier: BSD-3-Clause
// RowTable: rows of numbers, kept column by column, each column with room for all rows. So they are
// written to disk without being moved again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hamel {

class RowTable {
 public:
  /// No room yet.
  explicit RowTable(std::vector<int> widths) : widths_(std::move(widths)) {
    for (const int width : widths_) row_width_ += width;
    batch_ = std::clamp(few_numbers / row_width_, 1, most_at_once);
  }
  /// Whole rows one after the other: a single column.
  RowTable(int row_width, std::int64_t room) : RowTable(std::vector<int>{row_width}) {
    reset({}, room);
  }

  int row_width() const { return row_width_; }
  std::int64_t rows() const { return sorted_ + count_; }
  std::int64_t room() const { return room_; }

  /// No rows, room for so many, in memory that may be given.
  void reset(std::vector<double>&& memory, std::int64_t room) {
    data_ = std::move(memory);
    data_.resize(static_cast<std::size_t>(row_width_ * room));
    if (room > 1) waiting_.resize(static_cast<std::size_t>(batch_ * row_width_));
    room_ = room;
    sorted_ = count_ = 0;
  }

  /// Adds the row that write(double*) writes. Precondition: rows() < room().
  template <class Write>
  void add(Write&& write) {
    if (room_ == 1) {  // its columns follow one another as they are written
      write(data_.data());
      sorted_ = 1;
      return;
    }
    write(waiting_.data() + count_ * row_width_);
    if (++count_ == batch_) sort();
  }

  /// Without the last rows, or any where there are fewer.
  void drop(std::int64_t count) {
    sort();
    sorted_ -= std::min(count, sorted_);
  }

  /// Column after column, each `room` times its width.
  const std::vector<double>& data() {
    sort();
    return data_;
  }
  /// The same, with the memory; leaves no room.
  std::vector<double> take() {
    sort();
    room_ = sorted_ = 0;
    return std::move(data_);
  }

 private:
  static constexpr int few_numbers = 1024;  // of rows that wait: 8 kB, a part of the first cache
  static constexpr int most_at_once = 32;   // four cache lines of a column
  static constexpr int short_column = 8;    // numbers that are copied faster here than by a call

  /// Rows that wait go to their columns: some at once, as one by one would cost more than a step.
  void sort() {
    const double* from = waiting_.data();
    double* column = data_.data();
    for (const int width : widths_) {
      double* to = column + sorted_ * width;
      const double* row = from;
      for (int i = 0; i < count_; ++i, row += row_width_, to += width) {
        if (width > short_column)
          std::copy_n(row, width, to);
        else
          for (int k = 0; k < width; ++k) to[k] = row[k];
      }
      from += width;
      column += room_ * width;
    }
    sorted_ += count_;
    count_ = 0;
  }

  std::vector<int> widths_;
  int row_width_ = 0;
  int batch_ = 1, count_ = 0;
  std::int64_t room_ = 0, sorted_ = 0;
  std::vector<double> data_, waiting_;
};

}  // namespace hamel
