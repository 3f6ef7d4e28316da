// SPDX-License-Identifier: BSD-3-Clause
// toml++ compiled here instead of taken from the system's library: libFuzzer sees its branches, and
// the sanitizers what it does. As in that library, its assertions are off: some of them fail on
// texts that it then refuses in good order (a time without digits).
#define TOML_IMPLEMENTATION
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
