// Decoupled look-back (Merrill and Garland, 2016) in tile code: a block learns the sum of all tiles
// in front of its own while the blocks of those tiles still run, so that a scan reads and writes
// its array once.
//
// Each tile has a word: what is known of it, and the sum that this is about. A word is read and
// written at once, so that it needs no order with other memory: relaxed, in the scope of the
// device, because other blocks read it.
//
// Forward progress: a block takes the number of its tile from a counter when it starts, not from
// its index. So the block of each tile in front of it has started, and tile t waits only for tiles
// 0 to t - 1: the first of those that are not done waits for none. Blocks that run are promised to
// make progress, whatever is not yet started.
#pragma once
#include "arrays.h"

namespace sample {

/// Words are 0 before the launch: the counter of tiles, then one for each tile and lane. They are
/// long for sums of any type of 32 bits, or short for counts below 2^30.
using long_word = unsigned long long;
using short_word = unsigned;
template <class Word> constexpr int sum_bits = sizeof(Word) == 8 ? 32 : 30;

constexpr unsigned nothing_known = 0, sum_of_tile = 1, sum_up_to_tile = 2;

/// The number of the tile that this block computes.
template <class Word> __tile__ int next_tile(Word *words) {
  return int(ct::atomic_add(words, Word(1), relaxed{}, on_device{}));
}

/// What is known of a tile, and the sum; or the same of a tile of sums.
template <class Word, class T> __tile__ auto word_of(unsigned known, T sum) {
  auto low = ct::element_cast<Word>(ct::element_bitcast<unsigned>(sum));
  return (Word(known) << sum_bits<Word>) | low;
}
template <class Words> __tile__ auto known_of(Words words) {
  return ct::element_cast<unsigned>(words >> sum_bits<ct::tile_element_t<Words>>);
}
template <class T, class Words> __tile__ auto sum_of(Words words) {
  using word = ct::tile_element_t<Words>;
  auto low = words & ((word(1) << sum_bits<word>)-1);
  return ct::element_bitcast<T>(ct::element_cast<unsigned>(low));
}

/// Tells the blocks behind that of `tile` its sum: as soon as it is known, and before sum_before.
template <class T> __tile__ void tell_sum(long_word *words, int tile, T own) {
  ct::atomic_store(words + 1 + tile,
                   word_of<long_word>(tile == 0 ? sum_up_to_tile : sum_of_tile, own), relaxed{},
                   on_device{});
}

/// The sum of all tiles in front of `tile`, whose own sum is `own`; tells the blocks behind it. It
/// looks back over 32 tiles at a time, to the nearest one that knows the sum up to itself.
template <class T> __tile__ T sum_before(long_word *words, int tile, T own) {
  constexpr int window = 32;
  long_word *const of_tile = words + 1;
  auto back = places<window>();
  auto none = ct::full<decltype(back)>(window);
  T before = T(0);
  int last = tile - 1; // the nearest tile whose sum is not yet in `before`
  while (last >= 0) {
    auto exists = back <= last;
    auto seen = ct::atomic_load_masked(of_tile + (last - back), exists, relaxed{}, on_device{});
    // In front of the first tile there is nothing, which is known.
    auto known = ct::select(exists, known_of(seen),
                            ct::full<ct::tile<unsigned, ct::shape<window>>>(sum_up_to_tile));
    auto sums = ct::select(exists, sum_of<T>(seen), ct::zeros<ct::tile<T, ct::shape<window>>>());

    const int up_to = int(ct::reduce_min<0>(ct::select(known == sum_up_to_tile, back, none)));
    const int waits = int(ct::reduce_min<0>(ct::select(known == nothing_known, back, none)));
    if (waits < up_to)
      continue;
    before = before + T(ct::sum<0>(ct::select(back <= up_to, sums, ct::zeros<decltype(sums)>())));
    last = up_to < window ? -1 : last - window;
  }
  if (tile > 0)
    ct::atomic_store(of_tile + tile, word_of<long_word>(sum_up_to_tile, T(before + own)), relaxed{},
                     on_device{});
  return before;
}

/// The same of Lanes counts at a time, each by itself: a tile has as many words, and a lane looks
/// back over one tile after the other.
template <std::size_t Lanes>
__tile__ auto counts_before(short_word *words, int tile, ct::tile<unsigned, ct::shape<Lanes>> own) {
  short_word *const of_tiles = words + 1;
  auto lane = places<Lanes, long long>();
  auto of_tile = of_tiles + (lane + tile * static_cast<long long>(Lanes));
  ct::atomic_store(of_tile, word_of<short_word>(tile == 0 ? sum_up_to_tile : sum_of_tile, own),
                   relaxed{}, on_device{});
  auto before = ct::zeros<decltype(own)>();
  auto last = ct::full<ct::tile<int, ct::shape<Lanes>>>(tile - 1);
  auto looks = last >= 0;
  while (bool(ct::any_of<0>(looks))) {
    auto words_of_last = of_tiles + (lane + ct::element_cast<long long>(last) * int(Lanes));
    auto seen = ct::atomic_load_masked(words_of_last, looks, relaxed{}, on_device{});
    auto known = known_of(seen);
    auto is_known = looks && known != nothing_known;
    before = before + ct::select(is_known, sum_of<unsigned>(seen), ct::zeros<decltype(own)>());
    last = last - ct::element_cast<int>(is_known);
    looks = looks && last >= 0 && known != sum_up_to_tile;
  }
  if (tile > 0)
    ct::atomic_store(of_tile, word_of<short_word>(sum_up_to_tile, before + own), relaxed{},
                     on_device{});
  return before;
}

} // namespace sample
