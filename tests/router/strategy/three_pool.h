// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/strategy/pool_bench.h"

namespace signalbox::test {

/// Three endpoints with different weights.
inline const std::string kThree = R"([models.pool]
aliases = ["big"]
[[models.pool.route]]
provider = "p0"
model = "m"
weight = 6
[[models.pool.route]]
provider = "p1"
model = "m"
weight = 3
[[models.pool.route]]
provider = "p2"
model = "m"
weight = 1
)";

inline std::vector<Act> threeThatServe() { return {serves(), serves(), serves()}; }

/// One endpoint with two slots.
inline const std::string kSlots = R"([resources.gpu]
limit = 2
[models.pool]
[[models.pool.route]]
provider = "p0"
model = "m"
resources = ["gpu"]
)";

}  // namespace signalbox::test
