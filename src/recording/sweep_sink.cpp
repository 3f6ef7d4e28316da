// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/recording/sweep_sink.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "failure_list.hpp"
#include "hamel/recording/recording_sink.hpp"
#include "hamel/runs/version.hpp"

namespace hamel::io {

namespace {

// Between commits: a twentieth of a second of fast members, or so long a time. The file's bytes do
// not depend on it.
constexpr std::int64_t commit_steps = std::int64_t{1} << 23U;
constexpr std::chrono::seconds commit_after{1};

Attributes attributes_of(const Scenario& scenario) {
  return {{"kind", "sweep"},
          {"scenario", scenario.to_toml(scenario.method)},
          {"scenario_name", scenario.name},
          {"system", scenario.system->name},
          {"method", scenario.method.text},
          {"program_version", version()},
          {"commit", commit()},
          {"compiler", compiler()},
          {"units", "SI"}};
}

/// The same sweep of the same program has the same bytes.
std::string identity(const Scenario& scenario) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : build_identity() + scenario.to_toml(scenario.method))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("sweep-{:016x}", hash);
}

}  // namespace

SweepSink::SweepSink(const Scenario& scenario, const SweepTask& task, const Simulation& like,
                     const std::filesystem::path& file, bool overwrite,
                     const Checkpoint* resume_from, bool damaged_too)
    : steps_(task.steps) {
  std::vector<Column> columns;
  for (const OutputColumn& c : sweep_columns(task, like)) {
    if (c.path == "/status") status_at_ = width_;
    if (c.path.starts_with("/drift/")) {
      if (statistics_.drifts.empty()) drifts_at_ = width_;
      statistics_.drifts.push_back({c.path.substr(std::string("/drift/").size()), c.unit});
    }
    width_ += static_cast<std::size_t>(c.width);
    columns.push_back({c.path, c.width, c.unit, c.description});
  }
  RecordingOptions options;
  options.overwrite = overwrite;
  options.expected_rows = sweep_of(scenario).members();
  options.damaged_too = damaged_too;
  options.id = identity(scenario);
  if (resume_from != nullptr) {
    base_ = *resume_from;
    base_.patches.clear();
    read_statistics(file, resume_from->rows);
    writer_.emplace(RecordingWriter::reopen(file, *resume_from, options));
    failures_ = std::make_unique<detail::FailureList>(file, resume_from->rows);
  } else if (!file.empty()) {
    base_.identity = build_identity();
    base_.scenario = scenario.to_toml(scenario.method);
    base_.method = scenario.method.text;
    writer_.emplace(file, std::move(columns), attributes_of(scenario), options);
    failures_ = std::make_unique<detail::FailureList>(file, 0);
    commit();
  }
}

SweepSink::~SweepSink() = default;

void SweepSink::rows(const std::vector<double>& data, std::int64_t number,
                     const std::vector<MemberFailure>& failures) {
  count(data.data(), number);
  if (!writer_) return;
  failures_->add(failures);
  std::vector<int> widths;
  for (const Column& column : writer_->columns()) widths.push_back(column.width);
  RowTable table(widths);
  table.reset(writer_->take_buffer().data, number);
  const double* from = data.data();
  for (std::int64_t i = 0; i < number; ++i, from += width_)
    table.add([&](double* row) { std::copy_n(from, width_, row); });
  writer_->append({number, table.take()});
  uncommitted_ += number * steps_;
  if (uncommitted_ >= commit_steps || std::chrono::steady_clock::now() - committed_ > commit_after)
    commit();
}

void SweepSink::count(const double* rows, std::int64_t number) {
  for (std::int64_t i = 0; i < number; ++i, rows += width_, ++members_) {
    if (const auto status = static_cast<Status>(static_cast<int>(rows[status_at_]));
        status != Status::ok) {
      ++statistics_.failed;
      ++statistics_.failed_by[status];
    }
    for (std::size_t k = 0; k < statistics_.drifts.size(); ++k) {
      const double drift = rows[drifts_at_ + k];
      auto& known = statistics_.drifts[k];
      if (!(drift <= known.largest) && !std::isnan(drift)) {
        known.largest = drift;
        known.member = members_;
      }
    }
  }
}

void SweepSink::commit() {
  Checkpoint now = base_;
  now.step = members_;
  now.rows = members_;
  if (writer_) {
    failures_->commit();
    writer_->commit(std::move(now));
  }
  uncommitted_ = 0;
  committed_ = std::chrono::steady_clock::now();
}

void SweepSink::read_statistics(const std::filesystem::path& file, std::int64_t rows) {
  RecordingReader reader(file);
  constexpr std::int64_t at_once = 4096;
  std::vector<double> row(width_);
  for (std::int64_t first = 0; first < rows; first += at_once) {
    const std::int64_t number = std::min(at_once, rows - first);
    const auto status = reader.read("/status", first, number);
    std::vector<std::vector<double>> drifts;
    for (const auto& d : statistics_.drifts)
      drifts.push_back(reader.read("/drift/" + d.name, first, number));
    for (std::size_t i = 0; i < status.size(); ++i) {
      row[status_at_] = status[i];
      for (std::size_t k = 0; k < drifts.size(); ++k) row[drifts_at_ + k] = drifts[k][i];
      count(row.data(), 1);
    }
  }
}

void SweepSink::finish(Status status) {
  if (!writer_) return;
  if (status == Status::interrupted) commit();
  failures_->commit();
  writer_->close({{"status", to_string(status)}}, status != Status::interrupted);
}

std::string SweepSink::failures_file() const {
  return failures_ && failures_->size() > 0 ? failures_->path().string() : "";
}

std::int64_t SweepSink::unlisted() const {
  return failures_ ? statistics_.failed - failures_->size() : 0;
}

}  // namespace hamel::io
