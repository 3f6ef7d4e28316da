// SPDX-License-Identifier: BSD-3-Clause
// What HDF5 may be given to read.
//
// HDF5 trusts the bytes of a file: addresses and sizes that do not fit together make it read and
// write outside of its memory. So a file is walked here first, and HDF5 gets to see it only if it
// is laid out as this library lays out recordings, every address and size in its place:
//
//   superblock 0 ─▶ root group ─▶ groups, datasets       object headers 1, symbol tables
//   attributes: whole numbers, texts in global heaps
//   datasets: one or two dimensions of doubles, chunks in B-trees 1, as many as the rows need
//   nothing else (no filters, links, other types), no two parts in one place
//
// What another program rewrote, even with the same content, is refused; HDF5's own tools read it.
// Source: HDF5 File Format Specification, versions 1.0 to 3.0, The HDF Group.
#pragma once

#include "journaled_file.hpp"

namespace hamel::io::detail {

/// Throws Hdf5Error "not an HDF5 file", "the file is truncated: …" or "damaged HDF5 file, …".
/// Reads the bookkeeping, not the rows: O(chunks).
void check_layout(JournaledFile& file);

}  // namespace hamel::io::detail
