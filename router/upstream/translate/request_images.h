// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/request_value.h"

namespace signalbox::upstream::translate {

/// Anthropic's image block for an OpenAI `image_url` part: data URLs become base64 sources, web addresses URL sources.
/// `detail` is left out: it says how much an image may cost, for which the other side has no words.
[[nodiscard]] OrderedJson anthropicImage(const Value& part);

/// OpenAI's `image_url` part for an Anthropic image block; an image that only stands in a file store is refused.
[[nodiscard]] OrderedJson openAiImage(const Value& block);

}  // namespace signalbox::upstream::translate
