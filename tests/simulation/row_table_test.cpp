// SPDX-License-Identifier: BSD-3-Clause
// Rows that come one by one are found again in their columns.
#include "hamel/runs/row_table.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

double value(std::int64_t row, int number) { return 1000.0 * static_cast<double>(row) + number; }

void add(RowTable& table, std::int64_t row) {
  table.add([&](double* to) {
    for (int k = 0; k < table.row_width(); ++k) to[k] = value(row, k);
  });
}

void expect_columns(const std::vector<double>& data, const std::vector<int>& widths,
                    std::int64_t rows, std::int64_t room) {
  std::size_t column = 0;
  int number = 0;
  for (const int width : widths) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (int k = 0; k < width; ++k)
        EXPECT_EQ(data[column + static_cast<std::size_t>(i * width + k)], value(i, number + k));
    column += static_cast<std::size_t>(room * width);
    number += width;
  }
  EXPECT_EQ(data.size(), column);
}

// Narrow rows wait for others, wide ones do not.
TEST(RowTable, KeepsColumns) {
  for (const std::vector<int>& widths :
       {std::vector<int>{1}, {1, 3, 3, 1, 1}, {1, 9, 2}, {1, 300, 300, 100, 1, 1}, {2000, 1}})
    for (const std::int64_t rows : {0, 1, 31, 32, 33, 100}) {
      RowTable table(widths);
      EXPECT_EQ(table.room(), 0);
      table.reset({}, 100);
      EXPECT_EQ(table.room(), 100);
      for (std::int64_t i = 0; i < rows; ++i) {
        EXPECT_EQ(table.rows(), i);
        add(table, i);
      }
      EXPECT_EQ(table.rows(), rows);
      expect_columns(table.data(), widths, rows, 100);
      std::vector<double> memory = table.take();
      EXPECT_EQ(table.rows(), 0);
      expect_columns(memory, widths, rows, 100);
      table.reset(std::move(memory), 50);  // the same memory with another room
      for (std::int64_t i = 0; i < rows / 2; ++i) add(table, i);
      expect_columns(table.take(), widths, rows / 2, 50);
    }
}

TEST(RowTable, RowsThatWaitAreGivenUpByAReset) {
  RowTable table(4, 10);
  add(table, 7);
  table.reset({}, 10);
  EXPECT_EQ(table.rows(), 0);
  add(table, 0);
  expect_columns(table.data(), {4}, 1, 10);
}

}  // namespace
}  // namespace hamel
