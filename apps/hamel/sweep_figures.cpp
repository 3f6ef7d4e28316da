// SPDX-License-Identifier: BSD-3-Clause

#include "sweep_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

#include "hamel/core/error.hpp"
#include "hamel/core/status.hpp"
#include "hamel/core/words.hpp"
#include "hamel/figures/figures.hpp"

namespace hamel::app {

namespace {

/// One number of each member.
struct Quantity {
  std::string name;  ///< as the user writes it, e.g. final/q[2]
  std::string unit;
  std::vector<double> values;
  bool log = false;
};

std::string label(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{}, {}", name, unit);
}

std::vector<std::string> choices(const io::RecordingReader& reader) {
  std::vector<std::string> list;
  for (const auto& c : reader.columns())
    if (!c.path.starts_with("/inputs/") && !c.path.starts_with("/trajectory/"))
      list.push_back(c.path.substr(1) + (c.width > 1 ? fmt::format("[0…{}]", c.width - 1) : ""));
  return list;
}

Quantity read(io::RecordingReader& reader, const std::string& name) {
  const std::size_t bracket = name.find('[');
  const std::string path = "/" + name.substr(0, bracket);
  for (const auto& column : reader.columns()) {
    if (column.path != path) continue;
    std::size_t component = 0;
    bool good = bracket == std::string::npos ? column.width == 1 : name.ends_with(']');
    if (bracket != std::string::npos && good) {
      const std::string inside = name.substr(bracket + 1, name.size() - bracket - 2);
      good = !inside.empty() && inside.size() < 9 &&
             std::ranges::all_of(inside, [](char c) { return c >= '0' && c <= '9'; });
      component = good ? std::stoul(inside) : 0;
      good = good && component < static_cast<std::size_t>(column.width);
    }
    if (!good) break;
    Quantity quantity{name, column.unit, {}, path.starts_with("/drift/")};
    const auto all = reader.read(path, 0, reader.rows());
    const auto status = reader.read("/status", 0, reader.rows());
    const auto width = static_cast<std::size_t>(column.width);
    for (std::size_t i = 0; i < status.size(); ++i) {
      const bool shown = status[i] == 0.0 || path == "/status" || path == "/steps";
      quantity.values.push_back(shown ? all[i * width + component]
                                      : std::numeric_limits<double>::quiet_NaN());
    }
    return quantity;
  }
  const std::vector<std::string> known = choices(reader);
  throw InputError("--quantity " + clipped(name) +
                   ": there is none; known: " + list_of_words(known) + did_you_mean(name, known));
}

std::vector<std::string> preset(io::RecordingReader& reader) {
  std::vector<std::string> names;
  for (const auto& c : reader.columns()) {
    if (c.path == "/drift/energy") names.emplace_back("drift/energy");
    if (c.path.starts_with("/final/") &&
        std::ranges::none_of(names, [](const auto& n) { return n.starts_with("final/"); }))
      names.push_back(c.path.substr(1) + (c.width > 1 ? fmt::format("[{}]", c.width - 1) : ""));
  }
  const auto status = reader.read("/status", 0, reader.rows());
  if (std::ranges::any_of(status, [](double s) { return s != 0.0; })) names.emplace_back("status");
  if (names.empty()) names.emplace_back("steps");
  return names;
}

std::string stem_of(const std::string& name) {
  std::string stem = "sweep_";
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      stem += c;
    else if (stem.back() != '_')
      stem += '_';
  while (stem.back() == '_') stem.pop_back();
  return stem;
}

/// A number that varies.
struct Axis {
  std::string name, unit;
  std::vector<double> values;  ///< of all members
  std::vector<double> levels;  ///< the different ones, in order
};

/// All of them; what has one value in all members is none, unless nothing else varies.
std::vector<Axis> axes_of(io::RecordingReader& reader) {
  std::vector<Axis> axes;
  for (const auto& c : reader.columns()) {
    if (!c.path.starts_with("/inputs/")) continue;
    Axis axis{c.path.substr(std::string("/inputs/").size()),
              c.unit,
              reader.read(c.path, 0, reader.rows()),
              {}};
    axis.levels = axis.values;
    std::ranges::sort(axis.levels);
    const auto rest = std::ranges::unique(axis.levels);
    axis.levels.erase(rest.begin(), rest.end());
    axes.push_back(std::move(axis));
  }
  const auto varies = [](const Axis& axis) { return axis.levels.size() > 1; };
  if (std::ranges::any_of(axes, varies))
    std::erase_if(axes, std::not_fn(varies));
  else
    axes.erase(axes.begin() + 1, axes.end());
  return axes;
}

std::size_t index_of(const std::vector<Axis>& axes, const std::string& name, const char* option) {
  const auto found = std::ranges::find(axes, name, &Axis::name);
  if (found != axes.end()) return static_cast<std::size_t>(found - axes.begin());
  std::vector<std::string> known;
  for (const Axis& axis : axes) known.push_back(axis.name);
  throw InputError(fmt::format("{}: '{}' does not vary; known: {}{}", option, clipped(name),
                               list_of_words(known), did_you_mean(name, known)));
}

/// --axes to the front.
void arrange(std::vector<Axis>& axes, const std::string& asked) {
  std::size_t place = 0;
  for (std::size_t from = 0; from <= asked.size(); ++place) {
    from = std::min(asked.find_first_not_of(' ', from), asked.size());
    const std::size_t to = std::min(asked.find(',', from), asked.size());
    std::string name = asked.substr(from, to - from);
    name.resize(name.find_last_not_of(' ') + 1);
    const std::size_t at = index_of(axes, name, "--axes");
    if (at < place || place == 2)
      throw InputError("--axes " + clipped(asked) + ": give one or two different names");
    std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(place),
                axes.begin() + static_cast<std::ptrdiff_t>(at),
                axes.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    from = to + 1;
  }
}

/// KEY=VALUE of --at.
std::pair<std::size_t, double> level_asked(const std::vector<Axis>& axes, const std::string& text) {
  const std::size_t sign = text.find('=');
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const char* const from = sign == std::string::npos ? end : text.data() + sign + 1;
  const auto read = std::from_chars(from, end, value);
  if (from == end || read.ec != std::errc() || read.ptr != end || !std::isfinite(value))
    throw InputError("--at " + clipped(text) + ": must be KEY=VALUE, e.g. system.mass=1.5");
  return {index_of(axes, text.substr(0, sign), "--at"), value};
}

/// The members of a cut through a grid; what lies where, as a note of the figure.
struct Cut {
  std::vector<std::size_t> members;
  std::string note;
};

Cut cut_through(const std::vector<Axis>& axes, std::size_t shown, bool drawn_at_random,
                const Options& options) {
  const std::size_t count = axes.front().values.size();
  double cells = 1.0;
  for (const Axis& axis : axes) cells *= static_cast<double>(axis.levels.size());
  const bool grid = !drawn_at_random && cells == static_cast<double>(count);
  Cut cut;
  std::vector<double> at(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) at[k] = axes[k].levels[axes[k].levels.size() / 2];
  std::vector<std::size_t> asked;
  for (const std::string& text : options.at) {
    const auto [k, value] = level_asked(axes, text);
    const char* const trouble = drawn_at_random
                                    ? "its members are drawn at random, there is no grid to cut"
                                : !grid ? "the sweep is not finished, there is no whole grid to cut"
                                : k < shown ? "this is an axis of the figure"
                                : std::ranges::find(asked, k) != asked.end() ? "given twice"
                                                                             : nullptr;
    if (trouble != nullptr) throw InputError(fmt::format("--at {}: {}", clipped(text), trouble));
    asked.push_back(k);
    at[k] = *std::ranges::min_element(axes[k].levels, {},
                                      [wanted = value](double x) { return std::fabs(x - wanted); });
  }
  for (std::size_t i = 0; i < count; ++i) {
    bool inside = true;
    for (std::size_t k = shown; grid && k < axes.size(); ++k)
      inside = inside && axes[k].values[i] == at[k];
    if (inside) cut.members.push_back(i);
  }
  for (std::size_t k = shown; k < axes.size(); ++k)
    cut.note += (k == shown ? grid ? "At " : "Varies too: " : ", ") +
                (grid ? fmt::format("{} = {:.6g}", axes[k].name, at[k]) : axes[k].name);
  if (!cut.note.empty()) cut.note += grid ? "." : "; such members lie on top of each other.";
  return cut;
}

/// "0 ok, 1 no_convergence …".
std::string codes(const io::RecordingReader& reader) {
  const auto column = std::ranges::find(reader.columns(), "/status", &io::Column::path);
  return column == reader.columns().end() ? "" : column->description + ".";
}

/// Status as 0, 1, … of those that occur, with their names.
std::vector<std::string> named(std::vector<double>& status) {
  std::vector<std::string> names;
  std::vector<double> levels = status;
  std::ranges::sort(levels);
  const auto rest = std::ranges::unique(levels);
  levels.erase(rest.begin(), rest.end());
  for (const double s : levels)
    names.emplace_back(to_string(static_cast<Status>(static_cast<int>(s))));
  for (double& s : status)
    s = static_cast<double>(std::ranges::lower_bound(levels, s) - levels.begin());
  return names;
}

std::vector<double> some(const std::vector<double>& list, const std::vector<std::size_t>& which) {
  std::vector<double> out;
  for (const std::size_t i : which) out.push_back(list[i]);
  return out;
}

}  // namespace

bool is_sweep(const io::RecordingReader& reader) {
  const auto kind = reader.attributes().find("kind");
  return kind != reader.attributes().end() && kind->second == "sweep";
}

std::vector<std::filesystem::path> draw_sweep(const std::filesystem::path& folder,
                                              const std::filesystem::path& recording,
                                              const Options& options) {
  io::RecordingReader reader(recording);
  if (reader.rows() == 0) throw InputError(recording.string() + ": has no members yet");
  std::vector<Axis> axes = axes_of(reader);
  if (options.axes) arrange(axes, *options.axes);
  const bool curve =
      axes.size() < 2 || (options.axes && options.axes->find(',') == std::string::npos);
  const auto& attributes = reader.attributes();
  const auto text = [&](const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::string() : found->second;
  };
  const bool drawn_at_random = text("scenario").find("\nsamples = ") != std::string::npos;
  const Cut cut = cut_through(axes, curve ? 1 : 2, drawn_at_random, options);
  std::vector<std::filesystem::path> figures;
  const auto names = options.quantity ? std::vector{*options.quantity} : preset(reader);
  const std::vector<double> x = some(axes[0].values, cut.members);
  for (const std::string& name : names) {
    const Quantity shown = read(reader, name);
    std::vector<double> values = some(shown.values, cut.members);
    if (!options.quantity &&
        std::ranges::none_of(values, [](double x) { return std::isfinite(x); }))
      continue;  // all failed: their status is drawn
    const std::string title = fmt::format("{}, {}: {}", text("system"), text("method"), shown.name);
    const std::string x_label = label(axes[0].name, axes[0].unit);
    std::vector<std::filesystem::path> drawn;
    if (curve) {
      io::LinePlot plot{stem_of(name), title, x_label, label(shown.name, shown.unit), shown.log};
      plot.scatter = x.size() < 3 || !std::ranges::is_sorted(x) || name == "status";
      plot.curves = {{"members", x, std::move(values)}};
      plot.note = cut.note;
      if (name == "status") plot.note += (cut.note.empty() ? "" : " ") + codes(reader);
      drawn = io::draw(folder, plot);
    } else {
      io::MapPlot plot{stem_of(name),
                       title,
                       x_label,
                       label(axes[1].name, axes[1].unit),
                       label(shown.name, shown.unit),
                       x,
                       some(axes[1].values, cut.members),
                       {},
                       shown.log,
                       cut.note,
                       {}};
      if (name == "status") plot.names = named(values);
      plot.value = std::move(values);
      drawn = io::draw(folder, plot);
    }
    figures.insert(figures.end(), drawn.begin(), drawn.end());
  }
  return figures;
}

}  // namespace hamel::app
