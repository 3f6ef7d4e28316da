// SPDX-License-Identifier: BSD-3-Clause
// Parts of systems given as text: lists of names, rows and tables of formulas, read and written.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/models/frame_text.hpp"
#include "toml_reader.hpp"

namespace hamel::io {

// What is wrong with the shape goes to the reader.
std::vector<std::string> read_names(const toml::table& system, const std::string& key,
                                    TomlReader& reader);
std::vector<std::vector<FormulaText>> read_rows(const toml::table& system, const std::string& key,
                                                TomlReader& reader);
std::vector<std::pair<std::string, FormulaText>> read_formulas(const toml::table& system,
                                                               const std::string& key,
                                                               TomlReader& reader);
std::vector<std::pair<std::string, double>> read_parameters(const toml::table& system,
                                                            TomlReader& reader);

/// Problems of the formulas, each at its place in the file.
void report(const std::vector<TextProblem>& problems, const toml::table& root, TomlReader& reader);

/// A TOML string that reads back as the text.
std::string toml_quoted(const std::string& text);
std::string list_of_names(const std::vector<std::string>& names);
std::string rows_text(const std::vector<std::vector<FormulaText>>& rows);
std::string table_text(const std::vector<std::pair<std::string, FormulaText>>& formulas);
std::string parameters_text(const std::vector<std::pair<std::string, double>>& parameters);

}  // namespace hamel::io
