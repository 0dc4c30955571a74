// graze-clash-mpi: decides the chunks of a plan as a rank of MPI. Run by `mpirun -n R graze clash run PLAN`, not by users: graze-clash-mpi PLAN [--threads N]
// [--json]
#define OMPI_SKIP_MPICXX 1  // the C interface alone
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <graze/clash_plan.hpp>
#include <graze/error.hpp>
#include <graze/threads.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/plan_chunks.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using graze::cli::PlanRun;

struct Options {
  std::string folder;
  int threads = 0;
  bool json = false;
};

Options read_options(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json")
      o.json = true;
    else if (word == "--threads" && i + 1 < argc)
      o.threads = std::atoi(argv[++i]);
    else if (o.folder.empty() && !word.empty() && word[0] != '-')
      o.folder = word;
    else
      throw graze::cli::UsageError("unknown argument \"" + word + "\"");
  }
  if (o.folder.empty()) throw graze::cli::UsageError("is run by mpirun -n R graze clash run PLAN");
  return o;
}

/// The cores that this rank may use, each divided by the number of ranks of this machine that may use it: ranks that mpirun has bound to cores of their own use
/// all of them, ranks that share some do not crowd them.
int threads_of_rank() {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (::sched_getaffinity(0, sizeof mine, &mine) != 0) return 1;
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int ranks = 1;
  MPI_Comm_size(machine, &ranks);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(ranks));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, machine);
  MPI_Comm_free(&machine);
  std::vector<int> cores_with(static_cast<std::size_t>(ranks) + 1);  // by number of ranks
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &mine)) continue;
    ++cores_with[static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const cpu_set_t& s) { return CPU_ISSET(core, &s); }))];
  }
  int threads = 0;
  for (int n = 1; n <= ranks; ++n) threads += cores_with[static_cast<std::size_t>(n)] / n;
  return std::max(threads, 1);
}

/// A number on rank 0 from which all ranks count: each takes the next chunk without asking another program.
class Counter {
 public:
  Counter() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 0 ? sizeof(std::int64_t) : 0, sizeof(std::int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &value_, &window_);
    MPI_Win_lock_all(0, window_);
    if (rank == 0) {
      const std::int64_t zero = 0;
      std::int64_t before;
      MPI_Fetch_and_op(&zero, &before, MPI_INT64_T, 0, 0, MPI_REPLACE, window_);
      MPI_Win_flush(0, window_);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  /// To be called by all ranks when none counts any more.
  void close() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  std::size_t next() { return fetch(MPI_SUM); }
  std::size_t value() { return fetch(MPI_NO_OP); }

 private:
  std::size_t fetch(MPI_Op what) {
    const std::int64_t one = 1;
    std::int64_t before = 0;
    MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, 0, what, window_);
    MPI_Win_flush(0, window_);
    return static_cast<std::size_t>(before);
  }

  std::int64_t* value_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

/// A thread of rank 0 beside those that decide: it says how far all ranks are, and lets MPI serve the others, which some networks do only while the program is
/// inside of a call. All calls of MPI meanwhile are under its mutex.
class Watchman {
 public:
  Watchman(const graze::ClashPlan& plan, const std::vector<std::size_t>& undecided, Counter& counter) : counter_(counter) {
    for (const std::size_t chunk : undecided) costs_.push_back(costs_.back() + static_cast<double>(plan.cost(chunk)));
    thread_ = std::thread([this] { watch(); });
  }
  ~Watchman() { end(); }
  Watchman(const Watchman&) = delete;
  Watchman& operator=(const Watchman&) = delete;

  std::size_t next() {
    const std::lock_guard lock(mutex_);
    return counter_.next();
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void watch() {
    constexpr std::chrono::milliseconds kBetween{5};  // a choice: a rank that takes a chunk waits half of it, on such a network
    const Clock::time_point begin = Clock::now();
    Clock::duration next = std::chrono::seconds(5);  // a choice; then seldom enough that the reports of a long run stay few
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kBetween, [&] { return ended_; })) {
      int any = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
      if (Clock::now() - begin < next) continue;
      next = (Clock::now() - begin) * 5 / 4 + std::chrono::seconds(5);
      const std::size_t chunks = costs_.size() - 1, handed_out = std::min(counter_.value(), chunks);
      std::fprintf(stderr, "clash: %zu of %zu chunks handed out, %.0f %% of the work\n", handed_out, chunks,
                   100 * costs_[handed_out] / std::max(costs_.back(), 1.0));
    }
  }

  Counter& counter_;
  std::vector<double> costs_{0};  // of the chunks before each
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread thread_;
};

/// The chunks to decide by the state of the folder that rank 0 reads.
std::vector<std::size_t> agree_on_chunks(const graze::ClashPlan& plan, int rank, PlanRun& run) {
  std::string id = plan.id();
  MPI_Bcast(id.data(), static_cast<int>(id.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (id != plan.id()) throw graze::Error(graze::ErrorCode::malformed_file, run.folder + ": is another plan than on rank 0; all machines must see one folder");
  std::vector<std::uint64_t> list;
  if (rank == 0) {
    const std::vector<std::size_t> undecided = chunks_to_decide(plan, plan.largest_first(), run);
    list.assign(undecided.begin(), undecided.end());
  }
  std::uint64_t n = list.size();
  MPI_Bcast(&n, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  list.resize(static_cast<std::size_t>(n));
  MPI_Bcast(list.data(), static_cast<int>(n), MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return {list.begin(), list.end()};
}

void run_plan(const Options& o, int rank, int ranks) {
  const Clock::time_point begin = Clock::now();
  graze::set_threads(o.threads > 0 ? o.threads : threads_of_rank());
  PlanRun run;
  run.folder = o.folder;
  run.ranks = static_cast<std::size_t>(ranks);
  graze::ClashPlan plan(o.folder);
  const std::vector<std::size_t> undecided = agree_on_chunks(plan, rank, run);
  Counter counter;
  std::uint64_t mine[2] = {0, 0}, all[2] = {0, 0};  // chunks, findings
  {
    std::optional<Watchman> watchman;
    if (rank == 0) watchman.emplace(plan, undecided, counter);
    const auto next = [&] { return watchman ? watchman->next() : counter.next(); };
    for (std::size_t i = next(); i < undecided.size(); i = next()) {
      mine[1] += plan.decide(undecided[i]);
      ++mine[0];
    }
  }
  MPI_Reduce(mine, all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  counter.close();
  if (rank != 0) return;
  run.decided = static_cast<std::size_t>(all[0]);
  run.findings = static_cast<std::size_t>(all[1]);
  run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::fputs(graze::cli::summary_of(run, o.json).c_str(), stdout);
  if (std::fflush(stdout) != 0) throw graze::Error(graze::ErrorCode::unwritable_file, "the output cannot be written");
}

/// Started by the mpirun of another MPI, each rank would take itself for the only one, and decide everything.
void check_launcher(int ranks) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* said = std::getenv(name);
    if (said != nullptr && std::atoi(said) != ranks)
      throw graze::cli::Unavailable(std::string(name) + " is " + said + ", but MPI says that there " +
                                    (ranks == 1 ? "is 1 rank" : "are " + std::to_string(ranks)) +
                                    ": this program was built with another MPI than the mpirun that started it");
  }
}

/// Ends all ranks.
int give_up(int rank, const std::string& what, int code) {
  std::fprintf(stderr, "graze: rank %d: %s\n", rank, what.c_str());
  MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, rank = 0, ranks = 1;
  // Two threads of rank 0 call MPI, one at a time.
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    if (provided < MPI_THREAD_SERIALIZED) throw graze::cli::Unavailable("this MPI does not allow calls from several threads (MPI_THREAD_SERIALIZED)");
    check_launcher(ranks);
    run_plan(read_options(argc, argv), rank, ranks);
  } catch (const graze::cli::UsageError& e) {
    return give_up(rank, e.what(), graze::cli::kUsage);
  } catch (const graze::Error& e) {
    return give_up(rank, e.what(), graze::cli::kBadInput);
  } catch (const std::exception& e) {
    return give_up(rank, e.what(), graze::cli::kInternal);
  }
  MPI_Finalize();
  return graze::cli::kDone;
}
