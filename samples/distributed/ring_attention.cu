// ring_attention: causal attention whose tokens are divided among GPUs, as ring_attention.py has
// it, bf16. Each GPU keeps the queries of two of 2 N sections of the tokens, one from the front and
// its mirror image from the back; keys and values go round, and arrive while attention to those
// that are here is computed. Results are merged by the logarithms of their sums.
//
//   ring_attention [--processes] [--gpus=N] [HEADS TOKENS]      of 128 elements
#include "kernels.cu"
#include "ranks.h"

namespace {

constexpr unsigned depth = 128, block = rows_of_block;

template <bool IsCausal> void attend(const bf16 *q, const bf16 *k, const bf16 *v, bf16 *o,
                                     float *lse, unsigned heads, unsigned rows) {
  forward<block, 64, depth, IsCausal>
      <<<dim3(rows / block, heads), 1>>>(q, k, v, o, lse, int(rows), int(rows));
}

/// Sections `rank` and 2 N - 1 - `rank` of [heads, tokens, depth], each [heads, half, depth].
std::vector<bf16> sections(const std::vector<bf16> &whole, int rank, int size, unsigned heads,
                           unsigned tokens) {
  const std::size_t half = tokens / (2 * size);
  std::vector<bf16> result;
  for (std::size_t section : {std::size_t(rank), std::size_t(2 * size - 1 - rank)})
    for (unsigned head = 0; head < heads; ++head) {
      const auto first = whole.begin() + (std::size_t{head} * tokens + section * half) * depth;
      result.insert(result.end(), first, first + half * depth);
    }
  return result;
}

struct ring {
  const sample::ranks &all;
  const unsigned heads, half;
  const std::size_t size; // elements of a section
  // Of two sections each; a buffer has keys, then values.
  sample::device_array<bf16> q, own, buffers[2];
  sample::device_array<bf16> part; // attention to one section
  sample::device_array<float> part_lse, sum, lse;

  ring(const sample::ranks &all, unsigned heads, unsigned tokens, const std::vector<bf16> &q,
       const std::vector<bf16> &k, const std::vector<bf16> &v)
      : all(all), heads(heads), half(tokens / (2 * all.size)),
        size(std::size_t{heads} * half * depth), q(sections(q, all.rank, all.size, heads, tokens)),
        own(both(sections(k, all.rank, all.size, heads, tokens),
                 sections(v, all.rank, all.size, heads, tokens))),
        buffers{sample::device_array<bf16>(4 * size), sample::device_array<bf16>(4 * size)},
        part(size), part_lse(std::size_t{heads} * half), sum(2 * size),
        lse(2 * std::size_t{heads} * half) {}

  static std::vector<bf16> both(std::vector<bf16> k, const std::vector<bf16> &v) {
    k.insert(k.end(), v.begin(), v.end());
    return k;
  }

  /// Which of the 2 N sections a rank's first or second one is.
  int section(int rank, int index) const { return index == 0 ? rank : 2 * all.size - 1 - rank; }

  cudaEvent_t exchange(const bf16 *here, bf16 *there) const {
    return all.start([&](ncclComm_t messages) {
      const int to = (all.rank + 1) % all.size, from = (all.rank + all.size - 1) % all.size;
      sample::require(ncclSend(here, 4 * size, ncclBfloat16, to, messages, all.side), "ncclSend");
      sample::require(ncclRecv(there, 4 * size, ncclBfloat16, from, messages, all.side),
                      "ncclRecv");
    });
  }

  /// The sections of `whose` that the rank's queries see. Its own front section comes first.
  void add(int whose, const bf16 *keys) {
    for (int query = 0; query < 2; ++query)
      for (int key = 0; key < 2; ++key) {
        const int of_queries = section(all.rank, query), of_keys = section(whose, key);
        if (of_keys > of_queries)
          continue;
        const bf16 *const k = keys + key * size, *const v = k + 2 * size;
        (of_keys == of_queries ? attend<true> : attend<false>)(q.get() + query * size, k, v,
                                                               part.get(), part_lse.get(), heads,
                                                               half);
        const bool is_first = whose == all.rank && key == 0;
        (is_first ? merge<block, depth, true>
                  : merge<block, depth, false>)<<<dim3(half / block, heads), 1>>>(
            part.get(), part_lse.get(), sum.get() + query * size, lse.get() + query * heads * half,
            int(half), int(half), 0);
      }
  }

  void attention() {
    const bf16 *here = own.get();
    for (int step = 0; step < all.size; ++step) {
      const bool is_last = step + 1 == all.size;
      bf16 *const there = buffers[step % 2].get();
      const cudaEvent_t arrival = is_last ? nullptr : exchange(here, there);
      add((all.rank - step + all.size) % all.size, here);
      if (!is_last)
        all.wait(arrival);
      here = there;
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  const sample::launcher launcher(argc, argv);
  const unsigned heads = sample::size_argument(argc, argv, 1, 16);
  const unsigned tokens = sample::size_argument(argc, argv, 2, 32768);
  launcher.require_multiple("TOKENS", tokens, 2 * block * launcher.gpus);
  return launcher.run([=](const sample::ranks &all) {
    const std::size_t size = std::size_t{heads} * tokens * depth;
    const auto q = sample::random_vector<bf16>(size, 1), k = sample::random_vector<bf16>(size, 2),
               v = sample::random_vector<bf16>(size, 3);
    ring ours(all, heads, tokens, q, k, v);
    sample::device_array<bf16> whole_q(q), whole_k(k), whole_v(v), o(size);
    sample::device_array<float> lse(std::size_t{heads} * tokens);
    auto alone = [&] {
      attend<true>(whole_q.get(), whole_k.get(), whole_v.get(), o.get(), lse.get(), heads, tokens);
    };
    alone();
    ours.attention();
    const std::vector<bf16> wanted = sections(o.to_host(), all.rank, all.size, heads, tokens);
    sample::expect_whole(ours.sum.to_host(), std::vector<float>(wanted.begin(), wanted.end()));
    const double time = all.microseconds([&] { ours.attention(); });
    const double time_alone = all.microseconds_alone(alone);
    all.report("ring_attention 1x" + std::to_string(heads) + "x" + std::to_string(tokens) +
                   "x128 causal",
               time, time_alone);
  });
}
