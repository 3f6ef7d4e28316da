// SPDX-License-Identifier: BSD-3-Clause
// Runs a fuzz target without libFuzzer, in any build: first the files of the given folders, then
// random changes of them, the same ones in every run. An input that ends the process is left in
// the working folder as fuzz-crash.
//
//   fuzz_NAME [--seconds N] [--dictionary FILE] FOLDER...
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "target.hpp"

namespace {

namespace fs = std::filesystem;
using Input = std::string;

constexpr std::size_t longest = std::size_t{1} << 16U;

Input contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// --- the input under trial, for the handler of signals -----------------------------------------

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a handler has no arguments
const Input* current = nullptr;

/// Signal-safe enough for a process that is lost anyway.
void keep_input(int signal) {
  std::signal(signal, SIG_DFL);
  const char* name = "fuzz-crash";
  if (current != nullptr) {
    if (std::FILE* file = std::fopen(name, "wb")) {
      std::fwrite(current->data(), 1, current->size(), file);
      std::fclose(file);
    }
  }
  std::fprintf(stderr, "fuzz: signal %d; the input is in %s\n", signal, name);
  std::fflush(stderr);
  std::raise(signal);
}

void try_input(const Input& input) {
  current = &input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  current = nullptr;
}

// --- changes -----------------------------------------------------------------------------------

/// The words of a dictionary of libFuzzer: lines NAME="word" with \\, \" and \xHH.
std::vector<Input> words_of(const fs::path& path) {
  std::vector<Input> words;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t open = line.find('"');
    if (line.starts_with('#') || open == std::string::npos) continue;
    Input word;
    for (std::size_t i = open + 1; i < line.size() && line[i] != '"'; ++i) {
      if (line[i] == '\\' && i + 3 < line.size() && line[i + 1] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        if (line[i] == '\\' && i + 1 < line.size()) ++i;
        word += line[i];
      }
    }
    words.push_back(word);
  }
  return words;
}

class Mutator {
 public:
  Mutator(std::vector<Input> seeds, std::vector<Input> words)
      : seeds_(std::move(seeds)), words_(std::move(words)) {}

  Input next() {
    Input input = any(seeds_);
    for (std::size_t changes = 1 + below(8); changes > 0; --changes) change(input);
    input.resize(std::min(input.size(), longest));
    return input;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  const Input& any(const std::vector<Input>& list) { return list[below(list.size())]; }

  /// A piece of the input, short ones more often.
  Input piece(const Input& from) {
    const std::size_t begin = below(from.size() + 1);
    return from.substr(begin, below(std::size_t{1} << below(9)) + 1);
  }

  void change(Input& input) {
    static constexpr std::array<std::uint64_t, 8> numbers = {
        0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 1ULL << 63U, ~0ULL};
    const std::size_t at = below(input.size() + 1);
    const bool inside = at < input.size();
    switch (below(9)) {
      case 0:
        if (inside) input[at] = static_cast<char>(input[at] ^ (1U << below(8)));
        break;
      case 1:
        if (inside) input[at] = static_cast<char>(below(256));
        break;
      case 2: input.erase(at, piece(input).size()); break;
      case 3: input.insert(at, piece(input)); break;
      case 4: input.insert(at, piece(any(seeds_))); break;
      case 5:
        if (!words_.empty()) input.insert(at, any(words_));
        break;
      case 6: {  // a number of 1, 2, 4 or 8 bytes
        const std::uint64_t number = numbers[below(numbers.size())] + below(3) - 1;
        const std::size_t size = std::size_t{1} << below(4);
        if (at + size <= input.size()) std::memcpy(input.data() + at, &number, size);
        break;
      }
      case 7:  // eight bytes of elsewhere: an address, perhaps
        if (const std::size_t from = below(input.size() + 1);
            std::max(at, from) + 8 <= input.size())
          input.replace(at, 8, input.substr(from, 8));
        break;
      default: {  // a number written out
        const std::size_t digit = input.find_first_of("0123456789", at);
        if (digit == Input::npos) break;
        const std::size_t end =
            std::min(input.find_first_not_of("0123456789", digit), input.size());
        input.replace(digit, end - digit, std::to_string(numbers[below(numbers.size())]));
      }
    }
  }

  std::vector<Input> seeds_, words_;
  std::mt19937_64 random_{1};
};

std::vector<Input> seeds_of(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const auto& folder : folders)
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Input> seeds;
  for (const auto& file : files) seeds.push_back(contents(file));
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0.0;
  std::vector<Input> words;
  std::vector<fs::path> folders;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--seconds" && i + 1 < arguments.size())
      seconds = std::stod(arguments[++i]);
    else if (arguments[i] == "--dictionary" && i + 1 < arguments.size())
      words = words_of(arguments[++i]);
    else
      folders.emplace_back(arguments[i]);
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL})
    std::signal(signal, keep_input);

  const std::vector<Input> seeds = seeds_of(folders);
  hamel::fuzz::require(!seeds.empty(), "no seeds in these folders");
  for (const Input& seed : seeds) try_input(seed);
  Mutator mutator(seeds, words);
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(seconds);
  while (std::chrono::steady_clock::now() - begin < limit) try_input(mutator.next());
  const hamel::fuzz::Tally& tally = hamel::fuzz::tally();
  std::printf("%lld inputs, median %zu bytes, %lld not refused\n",
              static_cast<long long>(tally.inputs()), tally.median(),
              static_cast<long long>(tally.accepted()));
  return 0;
}
