// SPDX-License-Identifier: BSD-3-Clause
// This library through its public interface. method=gauss(stages=8) | variational+kl8 | hamel | …
// with steps=; tolerance= is what scenarios call integrate.tolerance, none: round-off.
//
// The system is chain_pendulum or spherical_pendulum of the catalogue, each in the kernels it has
// there. Invariants are not measured while stepping is timed.
#include "hamel/catalogue/registry.hpp"
#include "peer.hpp"

namespace {

using namespace peers;

std::unique_ptr<hamel::Problem> problem(const Case& c) {
  static const hamel::Registry registry = hamel::builtin_registry();
  const hamel::SystemEntry& entry =
      registry.system(c.chain ? "chain_pendulum" : "spherical_pendulum");
  hamel::SystemValues values;
  for (const hamel::ParameterInfo& p : entry.parameters)
    if (p.kind == hamel::ParameterInfo::Kind::number || p.kind == hamel::ParameterInfo::Kind::count)
      values.numbers[p.name] = p.preset;
  if (c.chain) values.numbers["n"] = c.n;
  values.numbers["mass"] = c.mass;
  values.numbers["length"] = c.length;
  values.numbers["gravity"] = c.gravity;
  std::vector<std::string> notes;
  hamel::InitialValues start;  // of the chain: none, its default start is this case's
  if (!c.chain) start.values = {{"q", {c.q, c.q + 3}}, {"omega", {c.omega, c.omega + 3}}};
  return entry.make(values, 0, start, notes);
}

class HamelRun final : public Run {
 public:
  HamelRun(const Case& c, const Request& request)
      : case_(c), steps_(request.steps), problem_(problem(c)) {
    hamel::IntegrationOptions options;
    options.step = request.step();
    options.solver.tolerance = request.tolerance;
    simulation_ = problem_->simulate(hamel::MethodSpec::parse(request.method), options);
    start_ = simulation_->snapshot();
  }

  void reset() override { simulation_->restore(start_); }

  void go(Watch* watch) override {
    hamel::Block block;
    block.measure_every = std::int64_t{1} << 60U;
    block.steps = watch == nullptr ? steps_ : watch->every();
    for (long done = 0; done < steps_; done += static_cast<long>(block.steps)) {
      block.steps = std::min<std::int64_t>(block.steps, steps_ - done);
      const hamel::Status status = simulation_->advance(block);
      if (status != hamel::Status::ok)
        throw std::runtime_error("a step failed: " + simulation_->failure());
      if (watch != nullptr) {
        observe(watch->x(), watch->v());
        watch->look();
      }
    }
  }

  void observe(double* x, double* v) override {
    Numbers y(static_cast<std::size_t>(6 * case_.n));
    for (const hamel::NamedValues& part : simulation_->state())
      if (part.field.name == "q" || part.field.name == "omega")
        std::copy(part.values.begin(), part.values.end(),
                  y.begin() + (part.field.name == "q" ? 0 : 3 * case_.n));
    cartesian(case_, y.data(), x, v);
  }
  long steps_taken() const override { return steps_; }

 private:
  Case case_;
  long steps_;
  std::unique_ptr<hamel::Problem> problem_;
  std::unique_ptr<hamel::Simulation> simulation_;
  std::vector<std::byte> start_;
};

std::unique_ptr<Run> make(const Case& c, const Request& request) {
  return std::make_unique<HamelRun>(c, request);
}

}  // namespace

int main(int argc, char** argv) { return peers::serve(argc, argv, make); }
