// SPDX-License-Identifier: BSD-3-Clause
// The program: reads the command line, runs one command, turns exceptions into messages.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "commands.hpp"
#include "console.hpp"
#include "hamel/core/error.hpp"
#include "hamel/runs/version.hpp"
#include "syntax.hpp"

namespace hamel::app {

namespace {

int dispatch(int argc, char** argv) {
  const Request request = parse_command_line(argc, argv);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no threads yet
  if (const char* asked = std::getenv("HAMEL_ISA");
      asked != nullptr && std::string_view(asked) != isa_path())
    note(fmt::format("HAMEL_ISA={}: not an instruction set of this processor and program "
                     "(baseline, avx2, avx512); {} is used",
                     asked, isa_path()),
         request.options.quiet);
  return request.command(request.options, builtin_registry());
}

}  // namespace

int version_command(const Options&, const Registry&) {
  fmt::print("hamel {} ({})\n", version(), commit());
  return exit_ok;
}

}  // namespace hamel::app

int main(int argc, char** argv) {
  using namespace hamel;
  // A file that reaches its size limit is then an error of the write, told like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
#if defined(__GLIBC__)
  // Rows and states of long chains go back to the system when they are freed. Left to itself the
  // limit grows with the largest that was, and pieces of every thread's heap stay behind.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
  try {
    const int code = app::dispatch(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw IoError("standard output cannot be written");
    return code;
  } catch (const InputError& error) {
    const auto& problems = error.problems();
    const std::size_t most = problems.size() <= 50 ? 50 : 10;  // thousands are a wrong file
    for (std::size_t i = 0; i < std::min(most, problems.size()); ++i) app::note(problems[i]);
    if (problems.size() > most)
      app::note(fmt::format("and {} more problems", problems.size() - most));
    return app::exit_input;
  } catch (const NumericalError& error) {
    app::note(error.what());
    return app::exit_numerical;
  } catch (const IoError& error) {
    app::note(error.what());
    return app::exit_io;
  } catch (const std::bad_alloc&) {
    app::note("out of memory");
    return app::exit_io;
  } catch (const std::exception& error) {
    app::note(fmt::format("unexpected error: {}", error.what()));
    return app::exit_io;
  }
}
