// SPDX-License-Identifier: BSD-3-Clause
// The nodes that expressions use, in the graph's order, operands first.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hamel/expressions/expression.hpp"

namespace hamel {

class UsedNodes {
 public:
  explicit UsedNodes(std::span<const Expression> f) {
    int top = -1;
    for (const auto& e : f) {
      if (e.is_constant()) continue;
      graph_ = e.graph();
      top = std::max(top, e.node());
    }
    place_.assign(static_cast<std::size_t>(top + 1), -1);
    for (const auto& e : f)
      if (!e.is_constant()) place_[static_cast<std::size_t>(e.node())] = 0;
    std::size_t count = 0;
    for (int id = top; id >= 0; --id) {
      if (place_[static_cast<std::size_t>(id)] < 0) continue;
      ++count;
      const auto& node = graph_->node(id);
      for (const int operand : {node.a, node.b, node.c})
        if (operand >= 0) place_[static_cast<std::size_t>(operand)] = 0;
    }
    ids_.reserve(count);
    for (int id = 0; id <= top; ++id) {
      int& place = place_[static_cast<std::size_t>(id)];
      if (place < 0) continue;
      place = static_cast<int>(ids_.size());
      ids_.push_back(id);
    }
  }

  /// Null where they are none: all are constants.
  ExpressionGraph* graph() const { return graph_; }
  const std::vector<int>& ids() const { return ids_; }
  std::size_t size() const { return ids_.size(); }
  /// Where among them a node is, −1 where it is not.
  int place(int id) const {
    return id >= 0 && static_cast<std::size_t>(id) < place_.size()
               ? place_[static_cast<std::size_t>(id)]
               : -1;
  }
  /// Of a node that is among them.
  std::size_t operator[](int id) const {
    return static_cast<std::size_t>(place_[static_cast<std::size_t>(id)]);
  }

 private:
  ExpressionGraph* graph_ = nullptr;
  std::vector<int> ids_, place_;
};

}  // namespace hamel
