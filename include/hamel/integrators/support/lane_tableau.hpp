// The coefficients of Gauss collocation as lanes want them.                              [MATH 7.6]
#pragma once

#include "hamel/integrators/support/gauss_tableau.hpp"
#include "hamel/integrators/support/lane_kernels.hpp"

namespace hamel {

/// Column by column, zero beyond the stages.
struct GaussLanes {
  explicit GaussLanes(int stages)
      : stages(stages), width(hamel_lanes::lanes(stages)), tableau(stages) {
    for (int i = 0; i < stages; ++i)
      for (int j = 0; j < stages; ++j) {
        mu[j * width + i] = tableau.mu[i][j];
        predict[j * width + i] = tableau.predict[i][j];
      }
  }

  void weights(double h) {
    for (int i = 0; i < stages; ++i) hb[i] = h * tableau.b[i];
  }
  /// The increments of the next step from those of the last, in place; zero where there were none.
  void guess(double* L, bool warm) const noexcept {
    double next[max_gauss_stages] = {};
    if (warm)
      for (int j = stages > gauss_history ? stages - gauss_history : 0; j < stages; ++j)
        for (int i = 0; i < width; ++i) next[i] += predict[j * width + i] * L[j];
    for (int i = 0; i < width; ++i) L[i] = next[i];
  }
  double sum(const double* L) const noexcept {
    double all = L[0];
    for (int i = 1; i < stages; ++i) all += L[i];
    return all;
  }

  int stages, width;
  GaussTableau<double> tableau;
  double mu[max_gauss_stages * max_gauss_stages] = {};
  double predict[max_gauss_stages * max_gauss_stages] = {};
  double hb[max_gauss_stages] = {};
};

}  // namespace hamel
