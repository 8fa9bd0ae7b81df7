// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/request_translation.h"
#include "router/upstream/translate/request_value.h"

namespace signalbox::upstream::translate {

/// Writes `tools` and `tool_choice` of an OpenAI body, with its `parallel_tool_calls`, as Anthropic's. Without any tool
/// none of them is written (F26), unless the conversation has calls: that protocol wants each tool that was called to
/// be offered. They are then offered as tools that must not be called.
void anthropicTools(const Value& openAiBody, const std::vector<std::string>& calledNames, OrderedJson& out);

/// Writes `tools`, `tool_choice` and `parallel_tool_calls` for an Anthropic body's tools. `strict` is told where OpenAI
/// takes it, and stands in `leftOut` where a tool says it and OpenAI would not take it.
void openAiTools(const Value& anthropicBody, OrderedJson& out, LeftOut& leftOut);

}  // namespace signalbox::upstream::translate
