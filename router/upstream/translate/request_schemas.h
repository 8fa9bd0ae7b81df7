// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/request_value.h"

namespace signalbox::upstream::translate {

/// The bytes of a schema whose top says that it is an object. Anthropic wants that said; arguments are objects anyway.
[[nodiscard]] OrderedJson objectSchema(const Value& schema);

/// The same for OpenAI, which wants `properties` to be there, too, even if there are none.
[[nodiscard]] OrderedJson parametersSchema(const Value& schema);

/// Whether OpenAI takes it as `strict`, once `strictSchema` has closed its objects: made of the words that it knows there, not
/// too deep or large, and exactly the properties of an object required. It refuses a request that says so of another one. An
/// open object without properties is a map, which closed would be always empty.
[[nodiscard]] bool canBeStrict(const Value& schema);
/// The same for a tool, whose root may be without properties: it takes no arguments.
[[nodiscard]] bool canBeStrictParameters(const Value& schema);

/// The bytes of one that can be, every object closed that names its properties and says nothing of others: what fits it fits the
/// client's own.
[[nodiscard]] OrderedJson strictSchema(const Value& schema);
/// The same for a tool, with `properties`.
[[nodiscard]] OrderedJson strictParametersSchema(const Value& schema);

}  // namespace signalbox::upstream::translate
