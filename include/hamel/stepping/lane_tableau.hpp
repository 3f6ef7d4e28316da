// SPDX-License-Identifier: BSD-3-Clause
// The coefficients of Gauss collocation as lanes want them.                              [MATH 7.6]
#pragma once

#include "hamel/kernels/lanes/lane_kernels.hpp"
#include "hamel/stepping/gauss_tableau.hpp"

namespace hamel {

static_assert(max_gauss_stages <= hamel_lanes::most_lanes);

struct GaussLanes {
  explicit GaussLanes(int stages)
      : width(hamel_lanes::lanes(stages)), tableau(gauss_tableau<double>(stages)) {
    tables.stages = stages;
    tables.first = stages > gauss_history ? stages - gauss_history : 0;
    for (int i = 0; i < stages; ++i)
      for (int j = 0; j < stages; ++j) {
        tables.mu[j * width + i] = tableau.mu[i][j];
        tables.predict[j * width + i] = tableau.predict[i][j];
        for (int k = 0; k < stages; ++k)
          tables.mu_predict[j * width + i] += tableau.mu[i][k] * tableau.predict[k][j];
      }
  }

  /// For steps of h.
  void weights(double h) {
    if (h == h_) return;
    h_ = h;
    const int stages = tables.stages;
    for (int i = 0; i < stages; ++i) tables.hb[i] = h * tableau.b[i];
    for (int i = 0; i < stages; ++i) {
      tables.mu_hb[i] = 0.0;
      for (int k = 0; k < stages; ++k) tables.mu_hb[i] += tableau.mu[i][k] * tables.hb[k];
      for (int j = 0; j < stages; ++j) {
        double sum = 0.0;
        for (int k = 0; k < stages; ++k)
          sum += tableau.mu[i][k] * (tables.hb[k] * tableau.mu[k][j]);
        tables.mu2[j * width + i] = sum;
      }
    }
  }
  double step() const { return h_; }

  int width;
  GaussTableau<double> tableau;
  hamel_lanes::GaussTables tables;

 private:
  double h_ = 0.0;
};

}  // namespace hamel
