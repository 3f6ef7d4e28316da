#include "hamel/simulation/registry.hpp"

#include <algorithm>

#include "hamel/core/error.hpp"

namespace hamel {

void Registry::add(SystemEntry entry) {
  for (const auto& known : systems_)
    if (known.name == entry.name) throw InputError("a system '" + entry.name + "' exists already");
  systems_.push_back(std::move(entry));
  std::sort(systems_.begin(), systems_.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

const SystemEntry& Registry::system(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& entry : systems_) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = nearest_word(name, names);
  std::string all;
  for (const auto& n : names) all += (all.empty() ? "" : ", ") + n;
  throw InputError("unknown system '" + clipped(name) + "'" +
                   (near.empty() ? "; known: " + all : "; did you mean '" + near + "'?"));
}

std::vector<MethodInfo> Registry::methods() const {
  std::vector<MethodInfo> list;
  for (const auto& entry : systems_)
    for (const auto& method : entry.methods)
      if (std::none_of(list.begin(), list.end(),
                       [&](const MethodInfo& m) { return m.name == method.name; }))
        list.push_back(method);
  std::sort(list.begin(), list.end(),
            [](const MethodInfo& a, const MethodInfo& b) { return a.name < b.name; });
  return list;
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = word.size() / 2 + 1;  // farther ones would only confuse
  for (const std::string& candidate : known) {
    // Levenshtein distance, one row at a time
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t substituted = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace hamel
