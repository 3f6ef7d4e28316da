// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS. method=adams (CVODE, Adams–Moulton with fixed-point iteration), erk5 and erk8 (ARKODE,
// Dormand–Prince 5(4) and Fehlberg 8(7)), ida_ggl and ida_index1 (IDA); all with tolerance=.
//
// The first three solve for (q, ω) with the O(n) right-hand side; rhs=dense takes the other one.
// IDA solves the equations in Cartesian positions x, velocities v and multipliers λ, as D0 §VI does
// with its DAE solver; d_k = x_k − x_{k−1}:
//   v̇_k = −g e3 + (−λ_k d_k + λ_{k+1} d_{k+1})/m
//   index 1:  ẋ_k = v_k,                                    d_k·d̈_k + |ḋ_k|² = 0
//   GGL:      ẋ_k = v_k + (−μ_k d_k + μ_{k+1} d_{k+1})/m,   d_k·ḋ_k = 0,  |d_k|² = l²
// (Gear, Gupta and Leimkuhler's stabilised index 2). Jacobians are difference quotients in a band.
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "equations.hpp"

namespace {

using namespace peers;

constexpr long most_steps = 2'000'000'000;

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string(what) + ": " + std::to_string(flag));
}

/// Failures are told by their codes; nothing else goes to the error output.
void silent(int, const char*, const char*, char*, void*) {}

class Context {
 public:
  Context() { check(SUNContext_Create(nullptr, &context_), "SUNContext_Create"); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { SUNContext_Free(&context_); }
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

class Vector {
 public:
  Vector(int size, SUNContext context) : vector_(N_VNew_Serial(size, context)) {}
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  ~Vector() { N_VDestroy(vector_); }
  operator N_Vector() const { return vector_; }
  double* data() const { return N_VGetArrayPointer(vector_); }

 private:
  N_Vector vector_;
};

/// What CVODE and ARKODE are given, and what they have in common.
class OdeRun : public Run {
 public:
  OdeRun(const Case& c, const Request& request)
      : case_(c),
        until_(request.until),
        tolerance_(request.asked_tolerance()),
        y_(6 * c.n, context_),
        links_(c) {
    if (request.text("rhs", "links") == "dense") dense_ = std::make_unique<DenseRate>(c);
    start();
  }

  void go(Watch* watch) override {
    if (watch == nullptr) {
      solve(false);
    } else {
      while (solve(true) < until_)
        if (watch->due()) {
          observe(watch->x(), watch->v());
          watch->look();
        }
    }
  }
  void observe(double* x, double* v) override { cartesian(case_, y_.data(), x, v); }

 protected:
  static int rate(realtype, N_Vector y, N_Vector dy, void* self) {
    auto& run = *static_cast<OdeRun*>(self);
    if (run.dense_)
      (*run.dense_)(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    else
      run.links_(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
  }
  void start() {
    double* y = y_.data();
    peers::start(case_, y);
  }
  /// To the end, or by one step; the time reached.
  virtual double solve(bool one_step) = 0;

  Case case_;
  Context context_;
  double until_, tolerance_;
  Vector y_;

 private:
  LinkRate<> links_;
  std::unique_ptr<DenseRate> dense_;
};

class CvodeRun final : public OdeRun {
 public:
  CvodeRun(const Case& c, const Request& request)
      : OdeRun(c, request),
        memory_(CVodeCreate(CV_ADAMS, context_)),
        iteration_(SUNNonlinSol_FixedPoint(y_, 0, context_)) {
    check(CVodeInit(memory_, rate, 0.0, y_), "CVodeInit");
    CVodeSetErrHandlerFn(memory_, silent, nullptr);
    check(CVodeSStolerances(memory_, tolerance_, tolerance_), "CVodeSStolerances");
    check(CVodeSetUserData(memory_, static_cast<OdeRun*>(this)), "CVodeSetUserData");
    check(CVodeSetMaxNumSteps(memory_, most_steps), "CVodeSetMaxNumSteps");
    check(CVodeSetNonlinearSolver(memory_, iteration_), "CVodeSetNonlinearSolver");
  }
  ~CvodeRun() override {
    CVodeFree(&memory_);
    SUNNonlinSolFree(iteration_);
  }

  void reset() override {
    start();
    check(CVodeReInit(memory_, 0.0, y_), "CVodeReInit");
    check(CVodeSetStopTime(memory_, until_), "CVodeSetStopTime");
  }
  long steps_taken() const override {
    long steps = 0;
    CVodeGetNumSteps(memory_, &steps);
    return steps;
  }

 private:
  double solve(bool one_step) override {
    double t = 0.0;
    check(CVode(memory_, until_, y_, &t, one_step ? CV_ONE_STEP : CV_NORMAL), "CVode");
    return t;
  }

  void* memory_;
  SUNNonlinearSolver iteration_;
};

class ErkRun final : public OdeRun {
 public:
  ErkRun(const Case& c, const Request& request, ARKODE_ERKTableID table)
      : OdeRun(c, request), memory_(ERKStepCreate(rate, 0.0, y_, context_)) {
    ERKStepSetErrHandlerFn(memory_, silent, nullptr);
    check(ERKStepSetTableNum(memory_, table), "ERKStepSetTableNum");
    check(ERKStepSStolerances(memory_, tolerance_, tolerance_), "ERKStepSStolerances");
    check(ERKStepSetUserData(memory_, static_cast<OdeRun*>(this)), "ERKStepSetUserData");
    check(ERKStepSetMaxNumSteps(memory_, most_steps), "ERKStepSetMaxNumSteps");
  }
  ~ErkRun() override { ERKStepFree(&memory_); }

  void reset() override {
    start();
    check(ERKStepReInit(memory_, rate, 0.0, y_), "ERKStepReInit");
    check(ERKStepSetStopTime(memory_, until_), "ERKStepSetStopTime");
  }
  long steps_taken() const override {
    long steps = 0;
    ERKStepGetNumSteps(memory_, &steps);
    return steps;
  }

 private:
  double solve(bool one_step) override {
    double t = 0.0;
    check(ERKStepEvolve(memory_, until_, y_, &t, one_step ? ARK_ONE_STEP : ARK_NORMAL),
          "ERKStepEvolve");
    return t;
  }

  void* memory_;
};

/// Unknowns by link: x (3), v (3), λ and, for GGL, μ.
class IdaRun final : public Run {
 public:
  IdaRun(const Case& c, const Request& request, bool ggl)
      : case_(c),
        ggl_(ggl),
        width_(ggl ? 8 : 7),
        until_(request.until),
        y_(width_ * c.n, context_),
        dy_(width_ * c.n, context_),
        memory_(IDACreate(context_)) {
    set_start();
    check(IDAInit(memory_, residual, 0.0, y_, dy_), "IDAInit");
    IDASetErrHandlerFn(memory_, silent, nullptr);
    // The multipliers are kept out of the norms: 1/h magnifies their round-off, and Newton's
    // iteration would not converge.
    const double tolerance = request.asked_tolerance();
    const Vector absolute(width_ * c.n, context_);
    const Vector differential(width_ * c.n, context_);
    for (int i = 0; i < width_ * c.n; ++i) {
      const bool multiplier = i % width_ >= 6;
      absolute.data()[i] = multiplier ? 1e6 : tolerance;
      differential.data()[i] = multiplier ? 0.0 : 1.0;
    }
    check(IDASVtolerances(memory_, tolerance, absolute), "IDASVtolerances");
    check(IDASetUserData(memory_, this), "IDASetUserData");
    check(IDASetId(memory_, differential), "IDASetId");
    check(IDASetSuppressAlg(memory_, SUNTRUE), "IDASetSuppressAlg");
    check(IDASetMaxNumSteps(memory_, most_steps), "IDASetMaxNumSteps");
    check(IDASetMaxConvFails(memory_, 100), "IDASetMaxConvFails");
    check(IDASetMaxErrTestFails(memory_, 100), "IDASetMaxErrTestFails");
    const int size = width_ * c.n;
    if (c.n == 1) {
      matrix_ = SUNDenseMatrix(size, size, context_);
      linear_ = SUNLinSol_Dense(y_, matrix_, context_);
    } else {  // the acceleration of link k − 1, in the index-1 form, reaches back to link k − 2
      const int above = std::min(size - 1, 2 * width_ - 1);
      const int below = std::min(size - 1, (ggl ? 2 : 3) * width_ - 1);
      matrix_ = SUNBandMatrix(size, above, below, context_);
      linear_ = SUNLinSol_Band(y_, matrix_, context_);
    }
    check(IDASetLinearSolver(memory_, linear_, matrix_), "IDASetLinearSolver");
  }
  ~IdaRun() override {
    IDAFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
  }

  void reset() override {
    set_start();
    check(IDAReInit(memory_, 0.0, y_, dy_), "IDAReInit");
    check(IDASetStopTime(memory_, until_), "IDASetStopTime");
  }
  void go(Watch* watch) override {
    if (watch == nullptr) {
      solve(IDA_NORMAL);
    } else {
      while (solve(IDA_ONE_STEP) < until_)
        if (watch->due()) {
          observe(watch->x(), watch->v());
          watch->look();
        }
    }
  }
  void observe(double* x, double* v) override {
    for (int k = 0; k < case_.n; ++k) {
      const double* link = y_.data() + width_ * k;
      std::copy(link, link + 3, x + 3 * k);
      std::copy(link + 3, link + 6, v + 3 * k);
    }
  }
  long steps_taken() const override {
    long steps = 0;
    IDAGetNumSteps(memory_, &steps);
    return steps;
  }

 private:
  double solve(int task) {
    double t = 0.0;
    check(IDASolve(memory_, until_, &t, y_, dy_, task), "IDASolve");
    return t;
  }

  /// Consistent: accelerations and tensions from the O(n) right-hand side.
  void set_start() {
    const auto n = static_cast<std::size_t>(case_.n);
    Numbers z(6 * n), dz(6 * n), x(3 * n), v(3 * n);
    start(case_, z);
    cartesian(case_, z.data(), x.data(), v.data());
    LinkRate<> rate(case_);
    rate(z.data(), dz.data());
    double acceleration[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < case_.n; ++k) {
      const double* q = &z[static_cast<std::size_t>(3 * k)];
      const double* w = q + 3 * case_.n;
      const double* dq = &dz[static_cast<std::size_t>(3 * k)];
      const double* dw = dq + 3 * case_.n;
      double* y = y_.data() + width_ * k;
      double* dy = dy_.data() + width_ * k;
      for (int i = 0; i < 3; ++i) {  // q̈ = ω̇×q + ω×q̇
        const int a = (i + 1) % 3;
        const int b = (i + 2) % 3;
        acceleration[i] +=
            case_.length * (dw[a] * q[b] - dw[b] * q[a] + w[a] * dq[b] - w[b] * dq[a]);
        y[i] = x[static_cast<std::size_t>(3 * k + i)];
        y[3 + i] = dy[i] = v[static_cast<std::size_t>(3 * k + i)];
        dy[3 + i] = acceleration[i];
      }
      y[6] = rate.tension(k) / case_.length;
      std::fill(y + 7, y + width_, 0.0);
      std::fill(dy + 6, dy + width_, 0.0);
    }
  }

  static int residual(realtype, N_Vector unknowns, N_Vector rates, N_Vector left, void* self) {
    const auto& run = *static_cast<const IdaRun*>(self);
    const Case& c = run.case_;
    const int width = run.width_;
    const double* y = N_VGetArrayPointer(unknowns);
    const double* dy = N_VGetArrayPointer(rates);
    double* r = N_VGetArrayPointer(left);
    double before[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < c.n; ++k, y += width, dy += width, r += width) {
      const bool last = k + 1 == c.n;
      double dd = -c.length * c.length;
      double du = 0.0;
      double uu = 0.0;
      double da = 0.0;
      for (int i = 0; i < 3; ++i) {
        const double d = y[i] - (k > 0 ? y[i - width] : 0.0);
        const double u = y[3 + i] - (k > 0 ? y[3 + i - width] : 0.0);
        const double next = last ? 0.0 : y[width + i] - y[i];
        const double a =
            (-y[6] * d + (last ? 0.0 : y[width + 6] * next)) / c.mass - (i == 2 ? c.gravity : 0.0);
        r[i] = dy[i] - y[3 + i];
        if (run.ggl_) r[i] -= (-y[7] * d + (last ? 0.0 : y[width + 7] * next)) / c.mass;
        r[3 + i] = dy[3 + i] - a;
        dd += d * d;
        du += d * u;
        uu += u * u;
        da += d * (a - before[i]);
        before[i] = a;
      }
      r[6] = run.ggl_ ? du : da + uu;
      if (run.ggl_) r[7] = 0.5 * dd;
    }
    return 0;
  }

  Case case_;
  bool ggl_;
  int width_;
  double until_;
  Context context_;
  Vector y_, dy_;
  void* memory_;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
};

std::unique_ptr<Run> make(const Case& c, const Request& request) {
  const std::string& method = request.method;
  if (method == "adams") return std::make_unique<CvodeRun>(c, request);
  if (method == "erk5") return std::make_unique<ErkRun>(c, request, ARKODE_DORMAND_PRINCE_7_4_5);
  if (method == "erk8") return std::make_unique<ErkRun>(c, request, ARKODE_FEHLBERG_13_7_8);
  if (method == "ida_ggl") return std::make_unique<IdaRun>(c, request, true);
  if (method == "ida_index1") return std::make_unique<IdaRun>(c, request, false);
  request.unknown_method();
}

}  // namespace

int main(int argc, char** argv) { return peers::serve(argc, argv, make); }
