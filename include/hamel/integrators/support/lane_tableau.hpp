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

  /// For steps of h.
  void weights(double h) {
    if (h == h_) return;
    h_ = h;
    for (int i = 0; i < stages; ++i) hb[i] = h * tableau.b[i];
    for (int i = 0; i < stages; ++i) {
      mu_hb[i] = 0.0;
      for (int k = 0; k < stages; ++k) mu_hb[i] += tableau.mu[i][k] * hb[k];
      for (int j = 0; j < stages; ++j) {
        double sum = 0.0;
        for (int k = 0; k < stages; ++k) sum += tableau.mu[i][k] * (hb[k] * tableau.mu[k][j]);
        mu2[j * width + i] = sum;
      }
    }
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
  alignas(64) double mu[max_gauss_stages * max_gauss_stages] = {};  // of the widest registers
  double predict[max_gauss_stages * max_gauss_stages] = {};
  double hb[max_gauss_stages] = {};
  alignas(64) double mu2[max_gauss_stages * max_gauss_stages] = {};
  double mu_hb[max_gauss_stages] = {};

 private:
  double h_ = 0.0;
};

}  // namespace hamel
