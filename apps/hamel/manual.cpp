// SPDX-License-Identifier: BSD-3-Clause

#include "manual.hpp"

#include <fmt/format.h>

#include <regex>

#include "commands.hpp"

namespace hamel::app {

const std::vector<Topic>& topics() {
  static const std::vector<Topic> list = {
      {"methods",
       "METHODS",
       "how a method is written",
       "A method is written name(option=value,…)+composition. hamel list methods has the names, "
       "hamel describe NAME the options of one, what it claims, and on which systems.",
       {{"gauss(stages=4)", "an option"},
        {"variational+kl8", "a time-symmetric method composed to order 8; +su4, +kl6: order 4, 6"},
        {"'hamel,gauss(stages=3)'", "several, for --methods; the quotes are for the shell"}}},
      {"files",
       "FILES",
       "what is read and written",
       "",
       {{"SCENARIO.toml",
         "system, initial state, step and method of a run; hamel describe SYSTEM --scenario prints "
         "one to start from"},
        {"results/SCENARIO/METHOD.h5",
         "the recording of a run (HDF5), unless --out or output.file names another place"},
        {"FILE.h5.checkpoint",
         "beside a recording until its run is finished; hamel resume FILE.h5 goes on from it"},
        {"results/SCENARIO/", "figures, certificates, sections and exports"}}},
      {"environment",
       "ENVIRONMENT",
       "variables that are looked at",
       "",
       {{"HAMEL_ISA",
         "the instruction set of the kernels: baseline, avx2 or avx512; by default the widest of "
         "the processor"},
        {"HAMEL_SKIP_PACKAGES",
         "where it is set, the scripts ./hamel and ./test of the source tree look for no packages "
         "and install none"}}},
      {"exit-status",
       "EXIT STATUS",
       "what the exit codes mean",
       "",
       {{std::to_string(exit_ok),
         "done; also where one method of a comparison fails: its row says so"},
        {std::to_string(exit_differs), "a verdict of certify or reproduce is not the expected one"},
        {std::to_string(exit_input), "the command line or a file says what cannot be used"},
        {std::to_string(exit_numerical), "a computation ended without a usable result"},
        {std::to_string(exit_io), "a file cannot be read or written"},
        {std::to_string(exit_interrupted), "interrupted by Ctrl-C or SIGTERM; resume goes on"}}},
      {"sources",
       "SOURCES",
       "what D0, D1, D2, D3 and MATH stand for",
       "Equations are cited by document and number: D0 (22) is equation 22 of D0. hamel reproduce "
       "checks what D0 to D3 say.",
       {{"D0",
         "D. V. Zenkov, M. Leok, A. M. Bloch: Hamel's formalism and variational integrators on a "
         "sphere (CDC 2012)"},
        {"D1",
         "D. V. Zenkov, with K. Ball and A. M. Bloch: Hamel's formalism and nonholonomic mechanics "
         "(slides)"},
        {"D2",
         "T. Lee, M. Leok, N. H. McClamroch: Homogeneous variational integrators for Lagrangian "
         "dynamics on two-spheres"},
        {"D3",
         "T. Lee, M. Leok, N. H. McClamroch: Global formulations of Lagrangian and Hamiltonian "
         "mechanics on two-spheres"},
        {"MATH", "the project's sheet of verified equations; docs/methods/README.md has its parts"},
        {"DLMF", "NIST Digital Library of Mathematical Functions"}}}};
  return list;
}

std::string sources_hint(const std::string& text) {
  static const std::regex letters(R"((^|[^A-Za-z0-9_])(D[0-3]|MATH|DLMF)([^A-Za-z0-9_]|$))");
  return std::regex_search(text, letters)
             ? "D0, D1, D2, D3, MATH, DLMF: the sources; hamel help sources has their titles\n"
             : "";
}

}  // namespace hamel::app
