// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/request_value.h"

namespace signalbox::upstream::translate {

/// The bytes of a schema whose top says that it is an object. Anthropic wants that said; arguments are objects anyway.
[[nodiscard]] OrderedJson objectSchema(const Value& schema);

/// The same for OpenAI, which wants `properties` to be there, too, even if there are none.
[[nodiscard]] OrderedJson parametersSchema(const Value& schema);

/// Whether OpenAI takes it as `strict`: made of the words that it knows there, every object closed and each of its
/// properties required. It refuses a request that says so of another one.
[[nodiscard]] bool canBeStrict(const Value& schema);

}  // namespace signalbox::upstream::translate
