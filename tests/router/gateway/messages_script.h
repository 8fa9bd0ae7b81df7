// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/gateway/gateway_fixture.h"

namespace signalbox::test {

inline const std::string kMessagesPath = "/v1/messages";
inline const std::string kVersion = "anthropic-version: 2023-06-01";
inline const std::string kApiKey = "x-api-key: " + kToken;
inline const std::string kMessage =
    R"({"model":"model-a","max_tokens":100,"messages":[{"role":"user","content":"hello"}]})";
inline const std::string kMessageStream =
    R"({"model":"model-a","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"hello"}]})";

inline std::string messageEvent(const std::string& type, const std::string& members = {}) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + (members.empty() ? "" : "," + members) + "}\n\n";
}

/// What an adapter gives for a message stream, in the client's dialect: the kinds as `dispatch::Chunk` says.
inline FakeReply messageStream(const std::vector<std::string>& pieces) {
    using Kind = dispatch::Chunk::Kind;
    FakeReply reply;
    reply.chunks.push_back({Kind::metadata, messageEvent("message_start", R"("message":{"usage":{"input_tokens":12}})")});
    reply.chunks.push_back({Kind::metadata, messageEvent("content_block_start", R"("index":0,"content_block":{"type":"text","text":""})")});
    for (const std::string& piece : pieces)
        reply.chunks.push_back(
            {Kind::content,
             messageEvent("content_block_delta", R"("index":0,"delta":{"type":"text_delta","text":")" + piece + "\"}")});
    reply.chunks.push_back({Kind::metadata, messageEvent("content_block_stop", R"("index":0)")});
    reply.chunks.push_back({Kind::usage, messageEvent("message_delta", R"("delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7})")});
    reply.chunks.push_back({Kind::done, messageEvent("message_stop")});
    return reply;
}

inline FakeReply wholeMessage() {
    return FakeReply::whole(R"({"type":"message","role":"assistant","content":[{"type":"text","text":"hi"}]})");
}

/// Both answers, by what was asked.
inline FakeReply messageReply(const dispatch::UpstreamRequest& request) {
    return request.stream ? messageStream({"a", "b"}) : wholeMessage();
}

/// `up` speaks the Anthropic protocol, `other` the OpenAI one.
inline FixtureOptions anthropicUpstream() {
    FixtureOptions options;
    options.providerLines = "protocol = \"anthropic\"\n";
    return options;
}

inline std::optional<RawResponse> postMessage(const GatewayFixture& gateway, const std::string& body,
                                              std::vector<std::string> headers = {kApiKey, kVersion}) {
    return fetch(gateway.port(), {"POST", kMessagesPath, std::move(headers), body});
}

} // namespace signalbox::test
