# SPDX-License-Identifier: BSD-3-Clause
# hamel_commit (cmake/HamelVersion.cmake) on every layout that git makes (gitrepository-layout(5)).
#
# usage: cmake -DSCRATCH=FOLDER -P tests/program/commit.cmake
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/HamelVersion.cmake)

set(main 0123456789abcdef0123456789abcdef01234567)
set(side fedcba9876543210fedcba9876543210fedcba98)
file(REMOVE_RECURSE ${SCRATCH})

# expect(FOLDER COMMIT): what is said of FOLDER.
function(expect folder commit)
  hamel_commit(${SCRATCH}/${folder} found)
  if(NOT found STREQUAL commit)
    message(FATAL_ERROR "${folder}: '${found}' instead of '${commit}'")
  endif()
endfunction()

file(MAKE_DIRECTORY ${SCRATCH}/bare)
expect(bare unknown)

set(git ${SCRATCH}/plain/.git)
file(WRITE ${git}/HEAD "ref: refs/heads/main\n")
expect(plain unknown)  # no commit yet
file(WRITE ${git}/packed-refs "# pack-refs with: peeled\n${side} refs/heads/side\n${main} refs/heads/main\n")
expect(plain 0123456789ab)
file(WRITE ${git}/refs/heads/main "${side}\n")  # younger than what is packed
expect(plain fedcba987654)

# Worktrees that are linked to it: on a branch, packed or not, and on none.
file(WRITE ${SCRATCH}/on_side/.git "gitdir: ${git}/worktrees/on_side\n")
file(WRITE ${git}/worktrees/on_side/HEAD "ref: refs/heads/side\n")
file(WRITE ${git}/worktrees/on_side/commondir "../..\n")
expect(on_side fedcba987654)
file(WRITE ${git}/refs/heads/side "${main}\n")
expect(on_side 0123456789ab)
file(WRITE ${SCRATCH}/detached/.git "gitdir: ../plain/.git/worktrees/detached\n")
file(WRITE ${git}/worktrees/detached/HEAD "${main}\n")
file(WRITE ${git}/worktrees/detached/commondir "../..\n")
expect(detached 0123456789ab)

# A submodule has no branches elsewhere.
file(WRITE ${SCRATCH}/plain/part/.git "gitdir: ../.git/modules/part\n")
file(WRITE ${git}/modules/part/HEAD "ref: refs/heads/main\n")
file(WRITE ${git}/modules/part/refs/heads/main "${main}\n")
expect(plain/part 0123456789ab)
