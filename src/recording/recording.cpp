// SPDX-License-Identifier: BSD-3-Clause
// RecordingWriter: a ring of tasks between the stepping thread and the one that writes.
#include "hamel/recording/recording.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <variant>

#include "hamel/core/error.hpp"
#include "new_recording.hpp"
#include "recording_file.hpp"

namespace hamel::io {

struct RecordingWriter::Impl {
  using Task = std::variant<RowBlock, Checkpoint>;

  Impl(detail::RecordingFile recording, const RecordingOptions& options)
      : file(std::move(recording)),
        columns(file.columns()),
        rows(file.rows()),
        ring(static_cast<std::size_t>(std::max(1, options.queue_blocks))) {
    for (const auto& column : columns) row_width += column.width;
    spare.reserve(ring.size() + 2);
    thread = std::thread([this] { work(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { stop(true); }

  void push(Task&& task);
  void wait_until_idle(std::unique_lock<std::mutex>& lock);
  static std::size_t size_of(const Task& task);  ///< bytes
  void work();
  void perform(Task& task);
  void stop(bool discard) noexcept;
  void rethrow_failure() const;
  std::string told(const char* what) const;

  static constexpr std::size_t most_spared = 1 << 20;      // numbers of a block that is kept
  static constexpr std::size_t most_waiting = 16UL << 20;  // bytes of a task that may wait

  detail::RecordingFile file;  // the thread's while it runs
  const std::vector<Column> columns;
  int row_width = 0;
  std::int64_t rows;
  bool closed = false;

  std::mutex mutex;  // guards the following
  std::condition_variable task_or_stop;
  std::condition_variable room_or_idle;
  std::vector<Task> ring;
  std::size_t head = 0;
  std::size_t waiting = 0;
  std::vector<RowBlock> spare;
  bool busy = false;
  bool stopping = false;
  std::string failure;

  std::thread thread;
};

void RecordingWriter::Impl::push(Task&& task) {
  std::unique_lock lock(mutex);
  if (closed) throw std::logic_error("the recording is closed");
  room_or_idle.wait(lock, [&] { return waiting < ring.size(); });
  rethrow_failure();
  const bool large = size_of(task) > most_waiting;
  ring[(head + waiting) % ring.size()] = std::move(task);
  ++waiting;
  task_or_stop.notify_one();
  if (large) wait_until_idle(lock);
}

void RecordingWriter::Impl::wait_until_idle(std::unique_lock<std::mutex>& lock) {
  room_or_idle.wait(lock, [&] { return waiting == 0 && !busy; });
  rethrow_failure();
}

std::size_t RecordingWriter::Impl::size_of(const Task& task) {
  const auto* block = std::get_if<RowBlock>(&task);
  return block != nullptr ? block->data.size() * sizeof(double)
                          : std::get<Checkpoint>(task).state.size();
}

void RecordingWriter::Impl::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    task_or_stop.wait(lock, [&] { return waiting > 0 || stopping; });
    if (waiting == 0) return;
    Task task = std::move(ring[head]);
    head = (head + 1) % ring.size();
    --waiting;
    busy = true;
    const bool skip = !failure.empty();
    lock.unlock();
    room_or_idle.notify_all();
    std::string problem;
    try {
      if (!skip) perform(task);
    } catch (const std::exception& error) {
      problem = told(error.what());
      file.abandon();
    }
    lock.lock();
    busy = false;
    if (failure.empty()) failure = std::move(problem);
    if (auto* block = std::get_if<RowBlock>(&task);
        block && spare.size() < spare.capacity() && block->data.size() <= most_spared) {
      spare.push_back(std::move(*block));
    }
    if (waiting == 0) room_or_idle.notify_all();
  }
}

void RecordingWriter::Impl::perform(Task& task) {
  if (auto* block = std::get_if<RowBlock>(&task)) {
    file.append(*block);
  } else {
    file.commit(std::move(std::get<Checkpoint>(task)));
  }
}

// What went wrong, and what is safe.
std::string RecordingWriter::Impl::told(const char* what) const {
  const auto& commit = file.last_commit();
  if (file.lost()) return what;
  return commit ? fmt::format("{}; {} rows up to the last checkpoint are kept", what, commit->rows)
                : fmt::format("{}; nothing had been committed, and nothing is left behind", what);
}

void RecordingWriter::Impl::rethrow_failure() const {
  if (!failure.empty()) throw IoError(failure);
}

void RecordingWriter::Impl::stop(bool discard) noexcept {
  if (!thread.joinable()) return;
  {
    const std::lock_guard lock(mutex);
    stopping = true;
    if (discard) waiting = 0;
  }
  task_or_stop.notify_one();
  thread.join();
}

RecordingWriter::RecordingWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RecordingWriter::RecordingWriter(const std::filesystem::path& path, std::vector<Column> columns,
                                 const Attributes& attributes, const RecordingOptions& options)
    : impl_(std::make_unique<Impl>(
          detail::RecordingFile::create(path, std::move(columns), attributes, options), options)) {}

RecordingWriter RecordingWriter::reopen(const std::filesystem::path& path, Checkpoint checkpoint,
                                        const RecordingOptions& options) {
  return RecordingWriter(std::make_unique<Impl>(
      detail::RecordingFile::reopen(path, std::move(checkpoint), options), options));
}

RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter::~RecordingWriter() = default;

const std::vector<Column>& RecordingWriter::columns() const { return impl_->columns; }
int RecordingWriter::row_width() const { return impl_->row_width; }
std::int64_t RecordingWriter::rows() const { return impl_->rows; }

RowBlock RecordingWriter::take_buffer() {
  RowBlock block;
  const std::lock_guard lock(impl_->mutex);
  if (!impl_->spare.empty()) {
    block = std::move(impl_->spare.back());
    impl_->spare.pop_back();
    block.rows = 0;
  }
  return block;
}

void RecordingWriter::append(RowBlock&& block) {
  const auto room = std::ssize(block.data) / impl_->row_width;
  if (block.rows < 0 || block.rows > room || room * impl_->row_width != std::ssize(block.data)) {
    throw std::logic_error(fmt::format("{} rows of {} values, but room for {} values", block.rows,
                                       impl_->row_width, block.data.size()));
  }
  const auto rows = block.rows;
  impl_->push(std::move(block));
  impl_->rows += rows;
}

void RecordingWriter::commit(Checkpoint checkpoint) {
  if (checkpoint.rows != impl_->rows) {
    throw std::logic_error(
        fmt::format("a checkpoint of {} rows after {} rows", checkpoint.rows, impl_->rows));
  }
  impl_->push(std::move(checkpoint));
}

void RecordingWriter::drain() {
  std::unique_lock lock(impl_->mutex);
  impl_->wait_until_idle(lock);
}

void RecordingWriter::close(const Attributes& attributes, bool finished) {
  if (impl_->closed) throw std::logic_error("the recording is closed");
  detail::check_attributes(attributes);
  impl_->stop(false);
  impl_->closed = true;
  impl_->rethrow_failure();
  try {
    impl_->file.finish(attributes, finished);
  } catch (const IoError& error) {
    impl_->failure = impl_->told(error.what());
    impl_->file.abandon();
    impl_->rethrow_failure();
  }
}

}  // namespace hamel::io
