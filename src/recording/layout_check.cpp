// SPDX-License-Identifier: BSD-3-Clause

#include "layout_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "layout_pieces.hpp"

namespace hamel::io::detail {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t superblock_bytes = 96;
constexpr int deepest_tree = 8;  // levels; 32 children each and more
constexpr int deepest_group = 32;

struct Message {
  Type type;
  Piece data;
};

/// What is known of a tree while its nodes are visited from left to right.
struct TreeWalk {
  int type = 0;
  std::size_t key_bytes = 0, capacity = 0;
  /// A node with n children has n keys before them and one that closes it.
  std::function<void(const Piece& node, std::size_t key, bool closes)> check_key;
  std::function<void(const Piece& node, std::size_t key, std::uint64_t child)> leaf;
  std::array<std::uint64_t, deepest_tree + 1> last = filled(), right = filled();

  static constexpr std::array<std::uint64_t, deepest_tree + 1> filled() {
    std::array<std::uint64_t, deepest_tree + 1> all{};
    all.fill(undefined);
    return all;
  }
};

class Walk {
 public:
  explicit Walk(JournaledFile& file) : file_(file) {}

  void run() {
    constexpr auto signature = "\x89HDF\r\n\x1A\n"sv;
    Piece block{0, std::vector<std::byte>(superblock_bytes)};
    read(block);
    if (!block.has(0, signature)) throw Hdf5Error("not an HDF5 file");
    end_ = block.u64(40);
    if (file_.end() < superblock_bytes || end_ > file_.end())
      throw Hdf5Error(fmt::format("the file is truncated: it has {} bytes and should have {}",
                                  file_.end(), end_));
    block.require(block.has(8, "\0\0\0\0\0\x08\x08\0\x04\0\x10\0\0\0\0\0"sv) &&
                      block.u64(24) == 0 && block.u64(32) == undefined &&
                      block.u64(48) == undefined,
                  "an unknown superblock");
    claim(0, superblock_bytes);
    object(block, 56, 0);
    check_disjoint();
  }

 private:
  void read(Piece& piece) {
    if (!file_.read(piece.address, piece.bytes)) throw Hdf5Error(file_.failure());
  }

  /// Nothing else may lie there. All claims together fit into the file, so that a walk ends.
  void claim(std::uint64_t address, std::uint64_t size) {
    if (size > end_ || address > end_ - size) damaged(address, "a part lies outside of the file");
    claims_.emplace_back(address, size);
    claimed_ += size;
    if (claimed_ > end_) damaged(address, "parts overlap");
  }
  Piece take(std::uint64_t address, std::uint64_t size) {
    claim(address, size);
    Piece piece{address, std::vector<std::byte>(size)};
    read(piece);
    return piece;
  }
  void check_disjoint() {
    std::sort(claims_.begin(), claims_.end());
    std::uint64_t free = 0;
    for (const auto& [address, size] : claims_) {
      if (address < free) damaged(address, "parts overlap");
      free = address + size;
    }
  }

  /// The object that an entry of a symbol table leads to.
  void object(const Piece& table, std::size_t entry, int depth) {
    const std::vector<Message> messages = header(table.u64(entry + 8));
    check_attributes_of(messages);
    const Message* symbols = only(messages, Type::symbol_table);
    const auto cached = table.number<std::uint32_t>(entry + 16);
    table.require(
        cached == 0 ||
            (cached == 1 && symbols != nullptr &&
             symbols->data.has(
                 0, {reinterpret_cast<const char*>(table.bytes.data()) + entry + 24, 16})),
        "an unknown entry of a group");
    if (symbols != nullptr) {
      table.require(depth < deepest_group, "groups nested too deeply");
      table.require(messages.size() == count(messages, Type::attribute) + 1, "no plain group");
      group(symbols->data.u64(0), symbols->data.u64(8), depth + 1);
    } else {
      table.require(depth > 0, "no root group");
      table.require(messages.size() == count(messages, Type::attribute) + 4, "no plain dataset");
      dataset(messages, table);
    }
  }

  // --- object headers --------------------------------------------------------------------------

  static std::size_t count(const std::vector<Message>& messages, Type type) {
    return static_cast<std::size_t>(std::ranges::count(messages, type, &Message::type));
  }
  static const Message* only(const std::vector<Message>& messages, Type type) {
    const auto found = std::ranges::find(messages, type, &Message::type);
    return found != messages.end() && count(messages, type) == 1 ? &*found : nullptr;
  }

  /// The messages that mean something.
  std::vector<Message> header(std::uint64_t address) {
    const Piece prefix = take(address, 16);
    const std::size_t announced = prefix.number<std::uint16_t>(2);
    prefix.require(prefix.has(0, "\x01\0"sv) && prefix.number<std::uint32_t>(4) == 1,
                   "an unknown object");
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks = {
        {address + 16, prefix.number<std::uint32_t>(8)}};
    std::vector<Message> messages;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const Piece block = take(blocks[i].first, blocks[i].second);
      for (std::size_t at = 0; at < block.bytes.size(); ++seen) {
        const std::size_t size = block.number<std::uint16_t>(at + 2);
        const auto type = block.number<Type>(at);
        const bool constant = type == Type::type || type == Type::fill_value;
        block.require(at + 8 + size <= block.bytes.size() && size % 8 == 0 &&
                          block.number<std::uint8_t>(at + 4) == (constant ? 1 : 0),
                      "a bad message");
        const auto from = block.bytes.begin() + static_cast<std::ptrdiff_t>(at + 8);
        Piece data{block.address + at + 8, {from, from + static_cast<std::ptrdiff_t>(size)}};
        if (type == Type::continuation) {
          data.require(data.u64(8) > 0, "an empty continuation");  // HDF5 would lose memory
          blocks.emplace_back(data.u64(0), data.u64(8));
        } else if (type != Type::nothing) {
          messages.push_back({type, std::move(data)});
        }
        at += 8 + size;
      }
    }
    prefix.require(seen == announced, "a wrong number of messages");
    return messages;
  }

  void check_attributes_of(const std::vector<Message>& messages) {
    std::set<std::string_view> names;
    for (const auto& [type, data] : messages) {
      if (type != Type::attribute) continue;
      const std::size_t name_bytes = data.number<std::uint16_t>(2);
      const std::size_t type_at = 8 + padded(name_bytes);
      const auto* const kind = std::ranges::find_if(attribute_kinds, [&](const AttributeKind& k) {
        return data.has(type_at, k.type) && data.has(type_at + padded(k.type.size()), k.space);
      });
      data.require(kind != attribute_kinds.end(), "an unknown attribute");
      const std::size_t value_at = type_at + padded(kind->type.size()) + kind->space.size();
      data.require(data.has(0, "\x01\0"sv) && data.number<std::uint16_t>(4) == kind->type.size() &&
                       data.number<std::uint16_t>(6) == kind->space.size() &&
                       data.bytes.size() == value_at + kind->value_bytes,
                   "an unknown attribute");
      const std::string_view name = data.text(8);
      data.require(!name.empty() && name.size() + 1 == name_bytes && names.insert(name).second,
                   "a bad name of an attribute");
      if (kind->type == text_type) check_text(data, value_at);
    }
  }

  // --- texts: length, address of a collection, index in it -------------------------------------

  void check_text(const Piece& data, std::size_t at) {
    const std::uint64_t length = data.number<std::uint32_t>(at);
    const std::uint64_t address = data.u64(at + 4);
    const auto index = data.number<std::uint32_t>(at + 12);
    if (length == 0 && address == 0 && index == 0) return;
    const auto [found, fresh] = texts_.try_emplace(address);
    if (fresh) found->second = collection(address);
    const auto text = found->second.find(index);
    // Each belongs to one attribute, which may delete it.
    data.require(text != found->second.end() && text->second == length,
                 "a bad reference to a text");
    found->second.erase(text);
  }

  /// Sizes of the texts of a collection.
  std::map<std::uint32_t, std::uint64_t> collection(std::uint64_t address) {
    constexpr std::size_t smallest = 4096;
    constexpr std::size_t head = 16;
    const std::uint64_t size = take_head(address, "GCOL\x01\0\0\0"sv).u64(8);
    if (size < smallest || size % 8 != 0) damaged(address, "a bad collection of texts");
    const Piece piece = take(address, size);
    std::map<std::uint32_t, std::uint64_t> sizes;
    for (std::size_t at = head; at + head <= size;) {
      const auto index = piece.number<std::uint16_t>(at);
      const std::uint64_t length = piece.u64(at + 8);
      if (index == 0) {  // the rest is free
        piece.require(length == size - at, "a bad collection of texts");
        break;
      }
      piece.require(length <= size - at - head && padded(length) <= size - at - head &&
                        sizes.emplace(index, length).second,
                    "a bad collection of texts");
      at += head + padded(length);
    }
    return sizes;
  }

  /// The first 16 bytes of a part that tells its own size.
  Piece take_head(std::uint64_t address, std::string_view signature) {
    Piece head{address, std::vector<std::byte>(16)};
    if (address > end_ - head.bytes.size()) damaged(address, "a part lies outside of the file");
    read(head);
    head.require(head.has(0, signature), "an unknown part");
    return head;
  }

  // --- trees -----------------------------------------------------------------------------------

  void tree(TreeWalk& walk, std::uint64_t root) {
    visit(walk, root, -1);
    for (const std::uint64_t right : walk.right)
      if (right != undefined) damaged(root, "a tree that does not end");
  }

  void visit(TreeWalk& walk, std::uint64_t address, int expected_level) {
    constexpr std::size_t head = 24;
    const std::size_t stride = walk.key_bytes + 8;
    const Piece node = take(address, head + walk.capacity * stride + walk.key_bytes);
    const int level = node.number<std::uint8_t>(5);
    const std::size_t children = node.number<std::uint16_t>(6);
    const bool root = expected_level < 0;
    node.require(node.has(0, "TREE"sv) && node.number<std::uint8_t>(4) == walk.type &&
                     level <= deepest_tree && (root || level == expected_level) &&
                     children <= walk.capacity && (children > 0 || (root && level == 0)),
                 "a bad tree");
    auto& last = walk.last.at(static_cast<std::size_t>(level));
    auto& right = walk.right.at(static_cast<std::size_t>(level));
    node.require(node.u64(8) == last && (last == undefined || right == address),
                 "a tree with wrong neighbours");
    last = address;
    right = node.u64(16);
    for (std::size_t i = 0; i < children; ++i) {
      const std::size_t key = head + i * stride;
      const std::uint64_t child = node.u64(key + walk.key_bytes);
      walk.check_key(node, key, false);
      if (level == 0)
        walk.leaf(node, key, child);
      else
        visit(walk, child, level - 1);
    }
    if (children > 0) walk.check_key(node, head + children * stride, true);
  }

  // --- groups ----------------------------------------------------------------------------------

  void group(std::uint64_t root, std::uint64_t heap, int depth) {
    constexpr std::size_t entry_bytes = 40;
    constexpr std::size_t most_entries = 8;
    const Piece names = heap_of_names(heap);
    std::string before;
    TreeWalk walk;
    walk.type = 0;
    walk.key_bytes = 8;
    walk.capacity = 32;
    walk.check_key = [&](const Piece& node, std::size_t key, bool) { names.text(node.u64(key)); };
    walk.leaf = [&](const Piece&, std::size_t, std::uint64_t child) {
      const Piece table = take(child, 8 + most_entries * entry_bytes);
      const std::size_t entries = table.number<std::uint16_t>(6);
      table.require(table.has(0, "SNOD\x01\0"sv) && entries >= 1 && entries <= most_entries,
                    "a bad group");
      for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = 8 + i * entry_bytes;
        const std::string name(names.text(table.u64(entry)));
        table.require(name > before && name.find('/') == std::string::npos, "a bad name");
        before = name;
        object(table, entry, depth);
      }
    };
    tree(walk, root);
  }

  Piece heap_of_names(std::uint64_t address) {
    constexpr std::uint64_t no_more = 1;
    const Piece head = take(address, 32);
    head.require(head.has(0, "HEAP\0\0\0\0"sv), "no names of a group");
    const Piece names = take(head.u64(24), head.u64(8));
    // The free parts: next one, size.
    std::uint64_t budget = names.bytes.size();
    for (std::uint64_t free = head.u64(16); free != no_more; free = names.u64(free)) {
      names.require(free % 8 == 0 && free <= names.bytes.size() - 16 && names.bytes.size() >= 16,
                    "bad names of a group");
      const std::uint64_t size = names.u64(free + 8);
      names.require(size >= 16 && size <= names.bytes.size() - free && size <= budget,
                    "bad names of a group");
      budget -= size;
    }
    return names;
  }

  // --- datasets --------------------------------------------------------------------------------

  void dataset(const std::vector<Message>& messages, const Piece& table) {
    const Message* const space = only(messages, Type::space);
    const Message* const type = only(messages, Type::type);
    const Message* const fill = only(messages, Type::fill_value);
    const Message* const layout = only(messages, Type::layout);
    table.require(space != nullptr && type != nullptr && fill != nullptr && layout != nullptr,
                  "no plain dataset");
    const Piece& size = space->data;
    const std::size_t rank = size.number<std::uint8_t>(1);
    size.require(size.has(0, "\x01"sv) && rank >= 1 && rank <= 2 && size.has(2, "\x01"sv) &&
                     size.bytes.size() == 8 + 16 * rank && size.u64(8 + 8 * rank) == undefined,
                 "a bad size of a dataset");
    const std::uint64_t rows = size.u64(8);
    const std::uint64_t width = rank == 1 ? 1 : size.u64(16);
    size.require(width >= 1 && width <= std::numeric_limits<int>::max() &&
                     (rank == 1 || size.u64(32) == width),
                 "a bad width of a dataset");
    table.require(type->data.has(0, double_type) && type->data.bytes.size() == double_type.size() &&
                      fill->data.has(0, no_fill_value) &&
                      fill->data.bytes.size() == no_fill_value.size(),
                  "a dataset that is no table of doubles");

    const Piece& chunks = layout->data;
    const std::uint64_t chunk_rows = chunks.number<std::uint32_t>(11);
    chunks.require(chunks.has(0, "\x03\x02"sv) && chunks.number<std::uint8_t>(2) == rank + 1 &&
                       chunk_rows > 0 && (rank == 1 || chunks.number<std::uint32_t>(15) == width) &&
                       chunks.number<std::uint32_t>(11 + 4 * rank) == sizeof(double) &&
                       chunk_rows <= std::numeric_limits<std::uint32_t>::max() / 8 / width,
                   "a bad chunk");
    const std::uint64_t root = chunks.u64(3);
    const std::uint64_t wanted = rows / chunk_rows + (rows % chunk_rows > 0 ? 1 : 0);
    if (root == undefined && wanted == 0) return;
    check_chunks(root, rank, chunk_rows, chunk_rows * width * sizeof(double), wanted);
  }

  /// A tree of `wanted` chunks of the same size, one after the other.
  void check_chunks(std::uint64_t root, std::size_t rank, std::uint64_t chunk_rows,
                    std::uint64_t chunk_bytes, std::uint64_t wanted) {
    std::uint64_t found = 0;
    TreeWalk walk;
    walk.type = 1;
    walk.key_bytes = 8 + 8 * (rank + 1);
    walk.capacity = 64;
    // A key begins where the chunks seen so far end. One that closes a node lies in the last chunk
    // or, where chunks were cut off, behind it.
    walk.check_key = [&](const Piece& node, std::size_t key, bool closes) {
      const std::uint64_t row = node.u64(key + 8);
      const std::uint64_t ahead = found * chunk_rows;
      node.require(closes ? row >= ahead - chunk_rows : row == ahead, "chunks out of order");
    };
    walk.leaf = [&](const Piece& node, std::size_t key, std::uint64_t child) {
      bool plain = node.number<std::uint32_t>(key) == chunk_bytes &&
                   node.number<std::uint32_t>(key + 4) == 0;
      for (std::size_t d = 1; d <= rank; ++d) plain = plain && node.u64(key + 8 + 8 * d) == 0;
      node.require(plain && ++found <= wanted, "a bad chunk");
      claim(child, chunk_bytes);
    };
    tree(walk, root);
    if (found != wanted) damaged(root, "rows without their chunk");
  }

  JournaledFile& file_;
  std::uint64_t end_ = 0;  // of the file, as the superblock has it
  std::vector<std::pair<std::uint64_t, std::uint64_t>> claims_;
  std::uint64_t claimed_ = 0;
  std::map<std::uint64_t, std::map<std::uint32_t, std::uint64_t>> texts_;
};

}  // namespace

void check_layout(JournaledFile& file) { Walk(file).run(); }

}  // namespace hamel::io::detail
