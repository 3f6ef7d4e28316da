// SPDX-License-Identifier: BSD-3-Clause
// Words that a user may have meant.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hamel {

/// Levenshtein distance.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

/// The words of `known` that may have been meant by `word`, best first, at most four; case does not
/// count. A slip of a letter or two comes first, then names that begin with the word, then those
/// that contain it, then what is at least half the same.
inline std::vector<std::string> near_words(std::string_view word,
                                           const std::vector<std::string>& known) {
  constexpr std::size_t most = 4;
  const auto lower = [](std::string_view text) {
    std::string out;
    for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
  };
  enum Likeness : std::size_t { slip, beginning, part, half };
  const std::string wanted = lower(word);
  std::pair<std::size_t, std::size_t> best{half + 1, 0};
  std::vector<std::string> near;
  for (const std::string& candidate : known) {
    const std::string name = lower(candidate);
    const std::size_t distance = edit_distance(wanted, name);
    std::pair<std::size_t, std::size_t> rank{half + 1, 0};
    if (distance <= wanted.size() / 4 || (distance == 1 && wanted.size() > 1))
      rank = {slip, distance};
    else if (!wanted.empty() && name.starts_with(wanted))
      rank = {beginning, 0};
    else if (wanted.size() > 2 && name.find(wanted) != std::string::npos)
      rank = {part, 0};
    else if (distance <= wanted.size() / 2)  // farther ones would only confuse
      rank = {half, distance};
    if (rank.first > half || rank > best) continue;
    if (rank < best) near.clear();
    best = rank;
    if (near.size() < most && std::ranges::find(near, candidate) == near.end())
      near.push_back(candidate);
  }
  if (best.first == half && near.size() > 1) near.resize(1);
  return near;
}

/// The first of them, or "" where none is near.
inline std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_words(word, known);
  return near.empty() ? "" : near.front();
}

/// "a, b or c", each in the quotes.
inline std::string any_of_words(const std::vector<std::string>& words, std::string_view quote) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text.append(i == 0                  ? ""
                : i + 1 == words.size() ? " or "
                                        : ", ")
        .append(quote)
        .append(words[i])
        .append(quote);
  return text;
}

/// "; did you mean 'a' or 'b'?", or "" where no known word is near.
inline std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_words(word, known);
  return near.empty() ? "" : "; did you mean " + any_of_words(near, "'") + "?";
}

/// "a, b, c", cut with an ellipsis where it is long.
inline std::string list_of_words(const std::vector<std::string>& words, std::size_t longest = 300) {
  std::string text;
  for (const std::string& word : words) {
    if (text.size() + word.size() > longest) return text + ", …";
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

}  // namespace hamel
