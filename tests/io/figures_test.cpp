// SPDX-License-Identifier: BSD-3-Clause
// Figures: the files made, what they show, and what remains when something goes wrong.
#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <hamel/core/error.hpp>
#include <hamel/figures/figures.hpp>
#include <iterator>
#include <limits>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using hamel::InputError;
using hamel::IoError;
using namespace hamel::io;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The points of the data blocks of a STEM.dat.
std::vector<std::vector<std::vector<double>>> blocks(const fs::path& path) {
  std::vector<std::vector<std::vector<double>>> result;
  std::ifstream file(path);
  bool open = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) open = false;
    if (line.empty() || line[0] == '#') continue;
    if (!open) result.emplace_back();
    open = true;
    std::istringstream numbers(line);
    result.back().emplace_back(std::istream_iterator<double>(numbers),
                               std::istream_iterator<double>());
  }
  return result;
}

template <class Exception, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "no exception of the expected type";
  return {};
}

class Figures : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hamel-figures-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
    search_path = std::getenv("PATH");
  }
  void TearDown() override {
    ::setenv("PATH", search_path.c_str(), 1);
    fs::remove_all(folder);
  }

  /// Puts a shell script in front of the real gnuplot.
  void replace_gnuplot(const std::string& script) {
    const auto bin = folder / "bin";
    fs::create_directory(bin);
    std::ofstream(bin / "gnuplot") << "#!/bin/sh\n" << script << "\n";
    fs::permissions(bin / "gnuplot", fs::perms::owner_all);
    ::setenv("PATH", (bin.string() + ":" + search_path).c_str(), 1);
  }

  fs::path out() const { return folder / "out"; }
  std::size_t files_left() const {
    return fs::exists(out()) ? static_cast<std::size_t>(std::distance(fs::directory_iterator(out()),
                                                                      fs::directory_iterator()))
                             : 0;
  }

  fs::path folder;
  std::string search_path;
};

LinePlot line_plot() {
  LinePlot plot;
  plot.stem = "energy";
  plot.title = "energy error";
  plot.x_label = "t / s";
  plot.y_label = "|E − E₀| / J";
  plot.log_y = true;
  plot.curves = {{"hamel", {0, 1, 2, 3}, {0, 1e-15, 3e-15, 2e-15}},
                 {"rk4", {0, 1, 2, 3}, {0, 1e-6, 2e-6, 3e-6}}};
  return plot;
}

/// A spherical pendulum with g = length, q̈ = −e₃ + λq, by the classical Runge–Kutta method.
PathCurve pendulum_path(const std::string& label, double radius, double step, int steps) {
  using State = std::array<double, 6>;
  const auto rate = [](const State& s) {
    const double lambda = s[2] - (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    return State{s[3], s[4], s[5], lambda * s[0], lambda * s[1], lambda * s[2] - 1};
  };
  const auto plus = [](State s, double h, const State& k) {
    for (std::size_t i = 0; i < 6; ++i) s[i] += h * k[i];
    return s;
  };
  PathCurve curve{label};
  State s{0.6, 0, -0.8, 0, 0.4, 0};
  for (int n = 0; n <= steps; ++n) {
    curve.x.push_back(radius * s[0]);
    curve.y.push_back(radius * s[1]);
    curve.z.push_back(radius * s[2]);
    const State a = rate(s), b = rate(plus(s, step / 2, a)), c = rate(plus(s, step / 2, b)),
                d = rate(plus(s, step, c));
    for (std::size_t i = 0; i < 6; ++i) s[i] += step / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return curve;
}

PathPlot path_plot() {
  PathPlot plot;
  plot.stem = "path";
  plot.title = "path of the bob";
  plot.radius = 9.8;
  plot.unit = "m";
  plot.curves = {pendulum_path("hamel", 9.8, 0.1, 200), pendulum_path("rk4", 9.8, 0.1, 200)};
  return plot;
}

void expect_pictures(const std::vector<fs::path>& files) {
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].extension(), ".svg");
  EXPECT_EQ(files[1].extension(), ".png");
  const auto svg = contents(files[0]), png = contents(files[1]);
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  ASSERT_GT(png.size(), 1000u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  // Width and height, big-endian, at 16 and 20 of a PNG.
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x04\xB0\0\0\x02\xEE", 8));
}

TEST_F(Figures, LinePlotLeavesDataScriptAndPictures) {
  const auto files = draw(out(), line_plot());
  expect_pictures(files);
  EXPECT_EQ(files_left(), 4u);
  const auto data = blocks(out() / "energy.dat");
  ASSERT_EQ(data.size(), 2u);
  EXPECT_EQ(data[1][3], (std::vector<double>{3, 3e-6}));
}

TEST_F(Figures, PathPlotLeavesDataScriptAndPictures) {
  expect_pictures(draw(out(), path_plot()));
  EXPECT_EQ(files_left(), 4u);
  const auto data = blocks(out() / "path.dat");
  ASSERT_EQ(data.size(), 2u);
  EXPECT_EQ(data[0].size(), 201u);
  EXPECT_EQ(data[0][0].size(), 3u);
  const auto svg = contents(out() / "path.svg");
  for (const auto* text : {"x, m", "from above", "pivot", "sphere of radius 9.8 m"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST_F(Figures, ScriptRunsAgainByHandFromItsFolder) {
  for (const auto& files : {draw(out(), line_plot()), draw(out(), path_plot())}) {
    const auto before = contents(files[0]);
    fs::remove(files[0]);
    const auto script = files[0].stem().string() + ".gp";
    EXPECT_EQ(std::system(("cd '" + out().string() + "' && gnuplot " + script).c_str()), 0);
    EXPECT_EQ(contents(files[0]), before);
    EXPECT_EQ(contents(out() / script).find(out().string()), std::string::npos);
  }
}

TEST_F(Figures, TextsAppearLiterally) {
  const std::string label = "a_b^{c}@d &lt; it's \"q\" (x=1,y) `touch pwned` \\n %s → Ω";
  const std::string in_xml = "a_b^{c}@d &amp;lt; it's \"q\" (x=1,y) `touch pwned` \\n %s → Ω";
  auto lines = line_plot();
  auto paths = path_plot();
  lines.title = lines.x_label = lines.y_label = lines.note = lines.curves[0].label = label;
  paths.title = paths.unit = paths.note = paths.curves[0].label = label;
  draw(out(), lines);
  draw(out(), paths);
  for (const auto* name : {"energy.svg", "path.svg"}) {
    const auto svg = contents(out() / name);
    std::size_t count = 0;
    for (auto at = svg.find(in_xml); at != std::string::npos; at = svg.find(in_xml, at + 1))
      ++count;
    EXPECT_GE(count, 4u) << name;
  }
  EXPECT_EQ(files_left(), 8u);  // no file "pwned"
}

TEST_F(Figures, BadBytesInTextsDoNotReachTheXml) {
  auto plot = line_plot();
  plot.title = "one\ntwo\x01 \xFF\xC0\x80 \xED\xA0\x80";
  draw(out(), plot);
  const auto svg = contents(out() / "energy.svg");
  EXPECT_NE(svg.find("one two"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find('\xFF'), std::string::npos);
  EXPECT_EQ(svg.find("\xED\xA0"), std::string::npos);
}

TEST_F(Figures, FoldersAndStemsWithBlanksAndQuotesWork) {
  auto plot = line_plot();
  plot.stem = "-a 'b\" $(touch pwned); |c";
  expect_pictures(draw(out() / "it's a \"folder\"; $HOME", plot));
  EXPECT_EQ(files_left(), 1u);
}

TEST_F(Figures, ZerosStandOnAMarkedFloor) {
  auto plot = line_plot();
  plot.curves.push_back({"exact", {0, 1, 2, 3}, {0, 0, 0, 1e-20}});
  draw(out(), plot);
  const auto script = contents(out() / "energy.gp");
  EXPECT_NE(script.find("'≤ 10^{-17}' 1e-17"), std::string::npos);
  EXPECT_EQ(blocks(out() / "energy.dat")[2][3][1], 1e-20);  // the data stay as they are
}

TEST_F(Figures, ZeroErrorAtTheStartDoesNotStretchTheAxis) {
  draw(out(), line_plot());
  const auto script = contents(out() / "energy.gp");
  EXPECT_EQ(script.find("≤"), std::string::npos);
  EXPECT_NE(script.find("set yrange [1e-15:"), std::string::npos);
}

TEST_F(Figures, ReferencesAreGreyAndSmallValuesFillThePicture) {
  LinePlot plot{"rates", "Rates", "w", "rate, 1/s"};
  plot.curves = {{"system", {0, 1, 2}, {-1e-3, 0, 1e-3}}, {"method", {0, 1, 2}, {-2e-3, 0, 1e-3}}};
  plot.references = 1;
  plot.zero_line = true;
  draw(out(), plot);
  const auto script = contents(out() / "rates.gp");
  const auto grey = script.find("index 0 using 1:(drawn($2)) with lines linecolor rgb '#bbbbbb'");
  const auto colour = script.find("index 1 using 1:(drawn($2)) with lines linecolor rgb '#0072B2'");
  EXPECT_NE(grey, std::string::npos);
  EXPECT_NE(colour, std::string::npos);
  EXPECT_LT(grey, colour);
  EXPECT_NE(script.find("xzeroaxis"), std::string::npos);
  // The axis ends where the data do, not 0.05 units away.
  EXPECT_EQ(contents(out() / "rates.svg").find(">0.05<"), std::string::npos);
  EXPECT_NE(script.find("graph 0.05, graph 0.05"), std::string::npos);
}

TEST_F(Figures, LongLogSeriesKeepTheirPeaksAndSaySo) {
  auto plot = line_plot();
  Curve curve{"peaks"};
  for (int n = 0; n <= 100000; ++n) {
    curve.x.push_back(n);
    curve.y.push_back(n == 77777 ? 1e-3 : n % 7 == 0 ? 0 : 1e-12);
  }
  plot.curves = {curve};
  draw(out(), plot);
  const auto data = blocks(out() / "energy.dat");
  ASSERT_EQ(data[0].size(), max_log_points);
  double highest = 0;
  for (const auto& point : data[0]) {
    highest = std::max(highest, point[1]);
    EXPECT_GE(point[1], 1e-12);
  }
  EXPECT_EQ(highest, 1e-3);
  EXPECT_NE(contents(out() / "energy.svg").find("maximum of each of 500"), std::string::npos);

  plot.log_y = false;
  draw(out(), plot);
  EXPECT_LE(blocks(out() / "energy.dat")[0].size(), max_curve_points);
}

TEST_F(Figures, LongPathsShowTheirBeginningSmoothly) {
  auto plot = path_plot();
  plot.curves = {pendulum_path("coarse", 9.8, 0.1, 5000), pendulum_path("same", 9.8, 0.1, 5000)};
  draw(out(), plot);
  auto data = blocks(out() / "path.dat");
  EXPECT_EQ(data[0].size(), data[1].size());
  EXPECT_LT(data[0].size(), 2000u);
  EXPECT_EQ(data[0][1][0], plot.curves[0].x[1]);
  EXPECT_NE(contents(out() / "path.svg").find("of 5001 points."), std::string::npos);

  plot.curves = {pendulum_path("fine", 9.8, 0.001, 20000)};
  draw(out(), plot);
  data = blocks(out() / "path.dat");
  EXPECT_LE(data[0].size(), max_path_points);
  EXPECT_NEAR(data[0].back()[0], plot.curves[0].x.back(), 0.1);  // all of it, at a stride
  EXPECT_EQ(contents(out() / "path.svg").find("Drawn:"), std::string::npos);
}

TEST_F(Figures, ManyCurvesAndConvergencePlotsWork) {
  auto plot = line_plot();
  plot.log_x = plot.points = true;
  plot.curves.assign(
      12, {"hamel(frame=kinetic,potential=discrete-gradient)", {0, 0.1, 0.2}, {1, 2, 3}});
  expect_pictures(draw(out(), plot));
  EXPECT_EQ(blocks(out() / "energy.dat")[11].size(), 2u);  // x = 0 has no place on a log axis
  auto paths = path_plot();
  paths.curves.assign(max_paths + 2, paths.curves[0]);
  draw(out(), paths);
  EXPECT_NE(contents(out() / "path.svg").find("2 more not drawn."), std::string::npos);
}

TEST_F(Figures, DegenerateDataAreDrawn) {
  auto plot = line_plot();
  for (const bool log : {false, true}) {
    plot.log_x = plot.log_y = log;
    for (const double y : {0.0, 1.0, 1e-300, 1e300}) {
      plot.curves = {{"one", {1}, {y}}, {"constant", {1, 1}, {y, y}}};
      expect_pictures(draw(out(), plot));
    }
  }
  auto paths = path_plot();
  paths.curves = {{"at rest", {0, 0}, {0, 0}, {-9.8, -9.8}}};
  expect_pictures(draw(out(), paths));
}

TEST_F(Figures, ValuesThatAreNotFiniteAndEmptyCurvesAreSkipped) {
  auto plot = line_plot();
  plot.curves = {
      {"empty", {}, {}}, {"gaps", {0, 1, 2, nan}, {1, nan, INFINITY, 1}}, {"nan", {0}, {nan}}};
  draw(out(), plot);
  EXPECT_EQ(blocks(out() / "energy.dat").size(), 1u);
  EXPECT_EQ(contents(out() / "energy.svg").find(">empty<"), std::string::npos);
}

TEST_F(Figures, UnusableInputIsRefusedBeforeAnythingIsWritten) {
  auto plot = line_plot();
  plot.curves = {{"empty", {}, {}}, {"nan", {0}, {nan}}};
  EXPECT_NE(message_of<InputError>([&] { draw(out(), plot); }).find("nothing to draw"),
            std::string::npos);
  plot = line_plot();
  plot.curves[0].y.pop_back();
  EXPECT_NE(message_of<InputError>([&] { draw(out(), plot); }).find("'hamel' has 4"),
            std::string::npos);
  for (const auto* stem : {"", "..", "a/b", "a\nb"}) {
    plot = line_plot();
    plot.stem = stem;
    EXPECT_THROW(draw(out(), plot), InputError) << stem;
  }
  for (const double radius : {0.0, -1.0, nan}) {
    auto paths = path_plot();
    paths.radius = radius;
    EXPECT_THROW(draw(out(), paths), InputError) << radius;
  }
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Figures, MissingGnuplotIsNamed) {
  ::setenv("PATH", folder.c_str(), 1);
  const auto message = message_of<IoError>([&] { draw(out(), line_plot()); });
  EXPECT_NE(message.find("gnuplot-nox"), std::string::npos) << message;
  EXPECT_EQ(files_left(), 0u);
}

TEST_F(Figures, FailingGnuplotIsQuotedAndLeavesNothing) {
  draw(out(), line_plot());
  const auto before = contents(out() / "energy.png");
  replace_gnuplot(R"(printf '\nplot x\n     ^\n"energy.gp" line 3: bad thing\n' >&2; exit 1)");
  const auto message = message_of<IoError>([&] { draw(out(), line_plot()); });
  EXPECT_NE(message.find("line 3: bad thing"), std::string::npos) << message;
  EXPECT_EQ(files_left(), 4u);
  EXPECT_EQ(contents(out() / "energy.png"), before);  // the old figure is still there
  replace_gnuplot("kill -9 $$");
  EXPECT_NE(message_of<IoError>([&] { draw(out(), line_plot()); }).find("signal 9"),
            std::string::npos);
  replace_gnuplot("echo '<svg>' > energy.svg; exit 0");
  EXPECT_NE(message_of<IoError>([&] { draw(out(), line_plot()); }).find("incomplete"),
            std::string::npos);
  EXPECT_EQ(files_left(), 4u);
}

TEST_F(Figures, UnwritableFolderIsNamed) {
  std::ofstream(folder / "file") << "text";
  for (const auto& directory : {folder / "file", folder / "file" / "deeper"}) {
    const auto message = message_of<IoError>([&] { draw(directory, line_plot()); });
    EXPECT_NE(message.find(directory.string()), std::string::npos) << message;
  }
  fs::create_directories(out() / "energy.png");
  EXPECT_THROW(draw(out(), line_plot()), IoError);
  EXPECT_EQ(files_left(), 1u);
}

TEST_F(Figures, SignalsDoNotDisturbTheWait) {
  struct sigaction ignore_it = {}, old = {};
  ignore_it.sa_handler = [](int) {};  // without SA_RESTART: waitpid ends with EINTR
  ::sigaction(SIGALRM, &ignore_it, &old);
  const itimerval often{{0, 2000}, {0, 2000}}, never{};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  EXPECT_NO_THROW(draw(out(), line_plot()));
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &old, nullptr);
}

TEST_F(Figures, GnuplotGetsNoTerminal) {
  replace_gnuplot("if read line; then exit 3; else exit 4; fi");
  EXPECT_NE(message_of<IoError>([&] { draw(out(), line_plot()); }).find("exit code 4"),
            std::string::npos);
}

}  // namespace
