#include "sweep_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamel/core/error.hpp"
#include "hamel/io/figures.hpp"

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

std::string choices(const io::RecordingReader& reader) {
  std::string list;
  for (const auto& c : reader.columns())
    if (!c.path.starts_with("/inputs/") && !c.path.starts_with("/trajectory/"))
      list += (list.empty() ? "" : ", ") + c.path.substr(1) +
              (c.width > 1 ? fmt::format("[0…{}]", c.width - 1) : "");
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
  throw InputError("--quantity " + clipped(name) + ": there is none; known: " + choices(reader));
}

std::vector<std::string> preset(const io::RecordingReader& reader) {
  std::vector<std::string> names;
  for (const auto& c : reader.columns()) {
    if (c.path == "/drift/energy") names.emplace_back("drift/energy");
    if (c.path.starts_with("/final/") &&
        std::ranges::none_of(names, [](const auto& n) { return n.starts_with("final/"); }))
      names.push_back(c.path.substr(1) + (c.width > 1 ? fmt::format("[{}]", c.width - 1) : ""));
  }
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

}  // namespace

bool is_sweep(const io::RecordingReader& reader) {
  const auto kind = reader.attributes().find("kind");
  return kind != reader.attributes().end() && kind->second == "sweep";
}

std::vector<std::filesystem::path> draw_sweep(const std::filesystem::path& folder,
                                              const std::filesystem::path& recording,
                                              const std::optional<std::string>& quantity) {
  io::RecordingReader reader(recording);
  if (reader.rows() == 0) throw InputError(recording.string() + ": has no members yet");
  struct Axis {
    std::string name, unit;
    std::vector<double> values;
  };
  std::vector<Axis> axes;
  for (const auto& c : reader.columns())
    if (c.path.starts_with("/inputs/"))
      axes.push_back({c.path.substr(std::string("/inputs/").size()), c.unit,
                      reader.read(c.path, 0, reader.rows())});
  // What does not vary is no axis.
  std::erase_if(axes, [&](const Axis& axis) {
    return axes.size() > 1 &&
           std::ranges::all_of(axis.values, [&](double x) { return x == axis.values.front(); });
  });
  const auto& attributes = reader.attributes();
  const auto text = [&](const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::string() : found->second;
  };
  std::vector<std::filesystem::path> figures;
  const auto names = quantity ? std::vector{*quantity} : preset(reader);
  for (const std::string& name : names) {
    const Quantity shown = read(reader, name);
    const std::string title = fmt::format("{}, {}: {}", text("system"), text("method"), shown.name);
    std::vector<std::filesystem::path> drawn;
    if (axes.size() < 2) {
      io::LinePlot plot{stem_of(name), title, label(axes[0].name, axes[0].unit),
                        label(shown.name, shown.unit), shown.log};
      plot.curves = {{"members", axes[0].values, shown.values}};
      plot.scatter = axes[0].values.size() < 3 || !std::ranges::is_sorted(axes[0].values);
      drawn = io::draw(folder, plot);
    } else {
      io::MapPlot plot{stem_of(name),
                       title,
                       label(axes[0].name, axes[0].unit),
                       label(axes[1].name, axes[1].unit),
                       label(shown.name, shown.unit),
                       axes[0].values,
                       axes[1].values,
                       shown.values,
                       shown.log,
                       {}};
      for (std::size_t k = 2; k < axes.size(); ++k)
        plot.note += (k == 2 ? "Varies too: " : ", ") + axes[k].name;
      if (!plot.note.empty()) plot.note += "; such members lie on top of each other.";
      drawn = io::draw(folder, plot);
    }
    figures.insert(figures.end(), drawn.begin(), drawn.end());
  }
  return figures;
}

}  // namespace hamel::app
