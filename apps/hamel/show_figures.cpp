// SPDX-License-Identifier: BSD-3-Clause
// The figure of `plot --show`: the numbers that are named.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hamel/core/error.hpp"
#include "hamel/core/words.hpp"
#include "hamel/recording/exports.hpp"
#include "motion_figures.hpp"

namespace hamel::app {

using io::LinePlot;
using io::MultiplesPlot;

namespace {

/// A number that may be shown: its name and unit, and where in a row it stands.
struct Shown {
  std::string name, unit, path;
  std::size_t index = 0;
};

std::vector<Shown> all_shown(const DrawnRecording& recording) {
  const auto names = io::value_names(recording.reader);
  std::vector<Shown> list;
  for (const io::Column& column : recording.reader.columns())
    for (int k = 0; k < column.width; ++k) {
      const auto& [name, unit] = names[list.size()];
      list.push_back({name, unit, column.path, static_cast<std::size_t>(k)});
    }
  return list;
}

const Shown* find(const std::vector<Shown>& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &Shown::name);
  return found == list.end() ? nullptr : &*found;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  return parts;
}

std::string stem_of(const std::string& asked) {
  std::string stem = "show_";
  for (const char c : asked)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      stem += c;
    else if (stem.back() != '_')
      stem += '_';
  while (stem.back() == '_') stem.pop_back();
  stem.resize(std::min<std::size_t>(stem.size(), 60));
  return stem;
}

}  // namespace

MultiplesPlot show_plot(std::vector<DrawnRecording>& recordings, const std::string& asked) {
  std::vector<std::vector<Shown>> numbers;
  std::vector<std::string> known;
  for (const auto& recording : recordings) {
    numbers.push_back(all_shown(recording));
    for (const Shown& shown : numbers.back())
      if (std::ranges::find(known, shown.name) == known.end()) known.push_back(shown.name);
  }
  MultiplesPlot plot;
  plot.stem = stem_of(asked);
  plot.title = recordings.front().system;
  if (recordings.size() == 1) plot.title += ", " + recordings.front().method;
  plot.groups.emplace_back();
  bool portraits = false;
  for (const std::string& part : split(asked, ',')) {
    auto pair = split(part, ':');
    if (pair.size() > 2)
      throw InputError("--show " + clipped(part) + ": a name, or two as X:Y, e.g. q1:xi1");
    for (const std::string& name : pair)
      if (std::ranges::find(known, name) == known.end())
        throw InputError("--show " + clipped(asked) + ": there is no '" + clipped(name) +
                         "'; known: " + list_of_words(known) + did_you_mean(name, known));
    LinePlot panel;
    if (pair.size() == 1) pair.insert(pair.begin(), "");
    const bool portrait = !pair[0].empty();
    portraits = portraits || portrait;
    panel.plane = portrait;
    for (std::size_t r = 0; r < recordings.size(); ++r) {
      const Shown* y = find(numbers[r], pair[1]);
      const Shown* x = portrait ? find(numbers[r], pair[0]) : nullptr;
      if (y == nullptr || (portrait && x == nullptr)) continue;  // of other methods only
      panel.x_label = portrait ? labelled(x->name, x->unit) : "time, s";
      panel.y_label = portrait ? labelled(y->name, y->unit) : "";
      panel.title = portrait ? y->name + " over " + x->name : labelled(y->name, y->unit);
      panel.equal_axes = portrait && !x->unit.empty() && x->unit == y->unit && x->path == y->path;
      panel.curves.push_back(
          {recordings[r].method,
           portrait ? recordings[r].component(x->path, x->index) : recordings[r].column("/t"),
           recordings[r].component(y->path, y->index)});
    }
    plot.groups.front().panels.push_back(std::move(panel));
  }
  const std::size_t panels = plot.groups.front().panels.size();
  if (panels > io::max_panels)
    throw InputError(fmt::format("--show: {} figures in one; at most {}", panels, io::max_panels));
  plot.columns = !portraits && panels <= 4 ? 1 : panels <= 4 ? 2 : 3;
  return plot;
}

}  // namespace hamel::app
