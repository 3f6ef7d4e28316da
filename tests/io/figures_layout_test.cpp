// SPDX-License-Identifier: BSD-3-Clause
// What figures show and where: panels, labels, curves on one another, starts, views of a chain.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <hamel/core/error.hpp>
#include <hamel/figures/figures.hpp>
#include <iterator>
#include <regex>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using namespace hamel::io;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

/// Width and height of a PNG, big-endian at its byte 16.
std::array<int, 2> size_of(const fs::path& png) {
  const std::string bytes = contents(png);
  std::array<int, 2> size{};
  for (std::size_t i = 0; i < 8 && bytes.size() > 24; ++i)
    size[i / 4] = size[i / 4] * 256 + static_cast<unsigned char>(bytes[16 + i]);
  return size;
}

Curve wave(const std::string& label, double amplitude, double phase = 0) {
  Curve curve{label};
  for (int i = 0; i <= 200; ++i) {
    curve.x.push_back(0.05 * i);
    curve.y.push_back(amplitude * std::sin(0.05 * i + phase));
  }
  return curve;
}

LinePlot panel(const std::string& title, std::vector<Curve> curves) {
  LinePlot plot;
  plot.title = title;
  plot.x_label = "time, s";
  plot.curves = std::move(curves);
  return plot;
}

class FiguresLayout : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hamel-layout-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string script(const std::string& stem) const { return contents(folder / (stem + ".gp")); }
  std::string svg(const std::string& stem) const { return contents(folder / (stem + ".svg")); }

  fs::path folder;
};

MultiplesPlot multiples() {
  MultiplesPlot plot;
  plot.stem = "motion";
  plot.title = "body: motion";
  plot.groups = {{"angles",
                  {panel("theta, rad", {wave("hamel", 1), wave("rk4", 2)}),
                   panel("psi, rad", {wave("hamel", 3), wave("rk4", 4)}),
                   panel("phi, rad", {wave("hamel", 5), wave("rk4", 6)}),
                   panel("chi, rad", {wave("hamel", 7), wave("rk4", 8)})}},
                 {"quasi-velocities", {panel("xi1", {wave("hamel", 1), wave("rk4", 2)})}}};
  return plot;
}

TEST_F(FiguresLayout, EveryPanelHasItsTitleAndEveryCurveItsData) {
  draw(folder, multiples());
  for (const auto* text : {"body: motion", "angles", "quasi-velocities", "theta, rad", "psi, rad",
                           "phi, rad", "chi, rad", ">xi1<", ">hamel<", ">rk4<"})
    EXPECT_NE(svg("motion").find(text), std::string::npos) << text;
  const std::string gp = script("motion");
  EXPECT_EQ(count(gp, "set title "), 5u);
  // Ten curves: the blocks of the data follow one another.
  for (int block = 0; block < 10; ++block)
    EXPECT_EQ(count(gp, "index " + std::to_string(block) + " using"), 1u) << block;
  EXPECT_EQ(count(contents(folder / "motion.dat"), "# x y"), 10u);
  // The curves of a method have one look in all panels.
  EXPECT_EQ(count(gp, "with lines linecolor rgb '#0072B2' dashtype solid linewidth 1.8"), 5u);
  EXPECT_EQ(count(gp, "with lines linecolor rgb '#D55E00' dashtype solid linewidth 1.8"), 5u);
}

TEST_F(FiguresLayout, PanelsStandInThreeColumnsAndAGroupBeginsARow) {
  draw(folder, multiples());
  const std::string gp = script("motion");
  std::vector<std::array<double, 2>> corners;  // left and top of each panel
  const std::regex place(
      R"(set lmargin at screen ([0-9.]+); set rmargin[^\n]*\n[^\n]*set tmargin at screen ([0-9.]+)\n  set title)");
  for (std::sregex_iterator at(gp.begin(), gp.end(), place), end; at != end; ++at)
    corners.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
  ASSERT_EQ(corners.size(), 5u);
  EXPECT_LT(corners[0][0], corners[1][0]);
  EXPECT_LT(corners[1][0], corners[2][0]);
  EXPECT_EQ(corners[0][1], corners[2][1]);  // one row
  EXPECT_EQ(corners[3][0], corners[0][0]);  // the fourth begins the next
  EXPECT_LT(corners[3][1], corners[0][1]);
  EXPECT_EQ(corners[4][0], corners[0][0]);  // and so does another group
  EXPECT_LT(corners[4][1], corners[3][1]);
  EXPECT_EQ(size_of(folder / "motion.png")[0], 1200);
}

TEST_F(FiguresLayout, MorePanelsMakeTheFigureHigher) {
  auto plot = multiples();
  draw(folder, plot);
  const int height = size_of(folder / "motion.png")[1];
  plot.groups.push_back(plot.groups.front());
  draw(folder, plot);
  EXPECT_GT(size_of(folder / "motion.png")[1], height + 300);
}

TEST_F(FiguresLayout, PanelsWithoutPointsAreLeftOutAndTooManyAreRefused) {
  auto plot = multiples();
  plot.groups[0].panels[1].curves = {{"hamel", {0, 1}, {NAN, NAN}}};
  draw(folder, plot);
  EXPECT_EQ(svg("motion").find("psi, rad"), std::string::npos);
  EXPECT_EQ(count(script("motion"), "set title "), 4u);
  plot.groups[0].panels.assign(max_panels + 1, plot.groups[0].panels[0]);
  EXPECT_THROW(draw(folder, plot), hamel::InputError);
  plot.groups.clear();
  EXPECT_THROW(draw(folder, plot), hamel::InputError);
}

TEST_F(FiguresLayout, ASmallPanelIsNotBlownUp) {
  auto plot = multiples();
  plot.groups = {{"", {panel("noise", {wave("hamel", 1e-16)})}}};
  plot.groups[0].panels[0].y_least = 0.5;
  draw(folder, plot);
  EXPECT_NE(script("motion").find("set yrange [-0.25:0.25]"), std::string::npos);
}

TEST_F(FiguresLayout, CurvesOnOneAnotherShareTheLineAndAreNamed) {
  LinePlot plot = panel("Error of the energy", {wave("a", 1), wave("b", 1), wave("c", 1, 0.3),
                                                wave("d", 1), wave("e", 1, 0.3)});
  plot.stem = "energy";
  draw(folder, plot);
  EXPECT_NE(svg("energy").find("On one another: a, b, d; c, e."), std::string::npos);
  const std::string gp = script("energy");
  // a solid, b over two thirds of a period, d over one; c solid, e over one half.
  EXPECT_NE(gp.find("'#0072B2' dashtype solid linewidth 3"), std::string::npos);
  EXPECT_NE(gp.find("'#D55E00' dashtype (48,24) linewidth 3"), std::string::npos);
  EXPECT_NE(gp.find("'#CC79A7' dashtype (24,48) linewidth 3"), std::string::npos);
  EXPECT_NE(gp.find("'#E69F00' dashtype (24,24) linewidth 3"), std::string::npos);
}

TEST_F(FiguresLayout, CurvesThatPartAreNotCalledOne) {
  LinePlot plot = panel("Error", {wave("a", 1), wave("b", 1.02)});
  plot.stem = "energy";
  draw(folder, plot);
  EXPECT_EQ(svg("energy").find("On one another"), std::string::npos);
  plot.log_y = true;  // there within 3 % is one line: 10 decades are as high as the page
  plot.curves = {{"a", {0, 1, 2}, {1, 2, 3}}, {"b", {0, 1, 2}, {1, 2, 3.08}}};
  draw(folder, plot);
  EXPECT_NE(svg("energy").find("On one another: a, b."), std::string::npos);
  plot.curves[1].y[2] = 3.2;
  draw(folder, plot);
  EXPECT_EQ(svg("energy").find("On one another"), std::string::npos);
}

TEST_F(FiguresLayout, ALinearAxisEndsWhereTheDataDo) {
  LinePlot plot = panel("tension", {{"t = 0 s", {1, 2, 3}, {0.1, 7, 13.3}}});
  plot.stem = "tension";
  draw(folder, plot);
  EXPECT_EQ(svg("tension").find(">-2<"), std::string::npos);  // no tic far below
}

TEST_F(FiguresLayout, EveryPlaceWhereAPathBeginsIsMarked) {
  PathPlot plot{"paths", "Paths"};
  for (int k = 0; k < 3; ++k) {
    PathCurve curve{"q" + std::to_string(k + 1)};
    for (int i = 0; i < 50; ++i) {
      const double angle = 0.05 * i + (k == 2 ? 0.0 : 2.0 * k);  // the third begins at the first
      curve.x.push_back(0.6 * std::cos(angle));
      curve.y.push_back(0.6 * std::sin(angle));
      curve.z.push_back(k == 2 ? 0.8 : -0.8);
    }
    plot.curves.push_back(curve);
  }
  plot.curves[2].z[0] = -0.8;
  draw(folder, plot);
  // Two places, in space and from above: a dot and its rim each.
  EXPECT_EQ(count(script("paths"), "pointtype 6"), 4u);
  EXPECT_EQ(count(script("paths"), "every ::0::0 with points pointtype 7"), 4u);
}

TEST_F(FiguresLayout, AConstantHasRoomAboutIt) {
  for (const double value : {0.0, 1.0, -3e5}) {
    MultiplesPlot plot;
    plot.stem = "motion";
    plot.groups = {{"", {panel("xi1", {{"hamel", {0, 1, 2}, {value, value, value}}})}}};
    draw(folder, plot);  // gnuplot refuses an empty range
    const std::string gp = script("motion");
    const std::regex range(R"(set yrange \[([-0-9.e+]+):([-0-9.e+]+)\])");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(gp, found, range)) << value;
    EXPECT_LT(std::stod(found[1]), value);
    EXPECT_GT(std::stod(found[2]), value);
  }
}

ShapePlot chain(double sideways) {
  ShapePlot plot{"shape", "Shape", "m"};
  for (int k = 0; k < 3; ++k) {
    const double x = 0.2 * (k - 1);
    plot.curves.push_back({"t = " + std::to_string(k) + " s",
                           {0, x, 2 * x},
                           {0, sideways, -sideways * k},
                           {0, -1, -2}});
  }
  return plot;
}

TEST_F(FiguresLayout, AChainIsSeenFromTheSideAndFromTheFrontWithUnits) {
  draw(folder, chain(0.3));
  for (const auto* text : {"in space", "from the side", "from the front", ">x, m<", ">y, m<",
                           ">z, m<", ">base<", "t = 2 s"})
    EXPECT_NE(svg("shape").find(text), std::string::npos) << text;
}

TEST_F(FiguresLayout, APlaneMotionIsSeenFromOneSide) {
  draw(folder, chain(0));
  EXPECT_NE(svg("shape").find("from the side"), std::string::npos);
  EXPECT_EQ(svg("shape").find("from the front"), std::string::npos);
}

TEST_F(FiguresLayout, TheViewsOfAChainHaveOneScale) {
  draw(folder, chain(0.3));
  const std::string gp = script("shape");
  const double height = size_of(folder / "shape.png")[1];
  const std::regex view(
      R"(set lmargin at screen ([0-9.]+); set rmargin at screen ([0-9.]+)\n)"
      R"(  set bmargin at screen ([0-9.]+); set tmargin at screen ([0-9.]+)\n)"
      R"([^\n]*\n  set xrange \[([-0-9.e]+):([-0-9.e]+)\]; set yrange \[([-0-9.e]+):([-0-9.e]+)\])");
  std::vector<double> scales;  // pixels per metre
  for (std::sregex_iterator at(gp.begin(), gp.end(), view), end; at != end; ++at) {
    const auto number = [&](std::size_t k) { return std::stod((*at)[k]); };
    scales.push_back(1200 * (number(2) - number(1)) / (number(6) - number(5)));
    scales.push_back(height * (number(4) - number(3)) / (number(8) - number(7)));
  }
  ASSERT_EQ(scales.size(), 6u);
  for (const double scale : scales) EXPECT_NEAR(scale, scales[0], 0.01 * scales[0]);
}

}  // namespace
