// SPDX-License-Identifier: BSD-3-Clause
#ifdef HAMEL_THREADS

#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "hamel/core/stopwatch.hpp"
#include "sweep_blocks.hpp"

namespace hamel {

namespace {

/// Blocks of members given to threads and taken back in order.
class Pipeline {
 public:
  Pipeline(const SweepTask& task, const SweepPlan& plan, const SweepParts& parts)
      : task_(task), plan_(plan), parts_(parts), blocks_(task, plan) {}

  void run(SweepOutcome& outcome) {
    Stopwatch watch;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < plan_.threads; ++i) threads.emplace_back([this] { work(); });
      try {
        while (outcome.done < plan_.members && take(outcome))
          if (plan_.progress) plan_.progress(outcome.done, watch.seconds());
      } catch (...) {
        fail(std::current_exception());
      }
      close();
    }
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() noexcept {
    try {
      SweepWorker worker(task_, parts_, plan_.source(), plan_.stop);
      for (;;) {
        std::int64_t number = 0;
        std::int64_t first = 0;
        std::int64_t count = 0;
        {
          std::unique_lock lock(mutex_);
          changed_.wait(lock, [&] {
            return closed_ || blocks_.all_given() || next_ < taken_ + blocks_.window();
          });
          if (closed_ || blocks_.all_given()) return;
          number = next_++;
          std::tie(first, count) = blocks_.next();
        }
        Stopwatch watch;
        auto result = worker.block(first, count);
        const double seconds = watch.seconds();
        result.members = count;
        const std::lock_guard lock(mutex_);
        blocks_.took(count, seconds, result.in_lanes);
        if (!result.complete) {
          closed_ = true;
        } else {
          ready_.emplace(number, std::move(result));
        }
        changed_.notify_all();
        if (closed_) return;
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// Hands over the next block, if it comes within 50 ms; false when none will come.
  bool take(SweepOutcome& outcome) {
    SweepWorker::Result result;
    {
      std::unique_lock lock(mutex_);
      const auto here = [&] { return ready_.contains(taken_); };
      changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return closed_ || here(); });
      if (!here()) return !closed_;
      result = std::move(ready_.extract(taken_).mapped());
    }
    hand_over(std::move(result), plan_, outcome);
    const std::lock_guard lock(mutex_);
    ++taken_;
    changed_.notify_all();
    return true;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    closed_ = true;
    changed_.notify_all();
  }

  const SweepTask& task_;
  const SweepPlan& plan_;
  const SweepParts& parts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  SweepBlocks blocks_;
  std::int64_t next_ = 0;
  std::int64_t taken_ = 0;
  std::map<std::int64_t, SweepWorker::Result> ready_;
  std::exception_ptr error_;
  bool closed_ = false;
};

}  // namespace

void sweep_on_threads(const SweepTask& task, const SweepPlan& plan, const SweepParts& parts,
                      SweepOutcome& outcome) {
  Pipeline(task, plan, parts).run(outcome);
}

}  // namespace hamel

#endif  // HAMEL_THREADS
