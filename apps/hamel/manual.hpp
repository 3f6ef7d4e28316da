// SPDX-License-Identifier: BSD-3-Clause
// What the program says of itself beside its options: `hamel help TOPIC`, and sections of the
// manual page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hamel::app {

struct Topic {
  std::string name;     ///< of `hamel help NAME`
  std::string title;    ///< of the section
  std::string summary;  ///< a line in the list of topics
  std::string text;
  std::vector<std::pair<std::string, std::string>> entries;  ///< a term and what it means
};

const std::vector<Topic>& topics();

/// A line that says where the letters of the sources are explained, if the text has any.
std::string sources_hint(const std::string& text);

/// The manual page, for man(1).
std::string manual_page();
/// A file that completes the command line in bash, zsh or fish.
std::string completion_script(const std::string& shell, const std::vector<std::string>& systems,
                              const std::vector<std::string>& methods);

}  // namespace hamel::app
