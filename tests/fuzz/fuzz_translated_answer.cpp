// SPDX-License-Identifier: MIT
// An upstream's answer in the other protocol: whatever comes and however it is cut, what goes out is well formed, and a
// stream that was not finished never looks as if it was. The first byte chooses the direction.
#include "router/upstream/sse_reader.h"
#include "router/upstream/translate/answer_translation.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

using namespace signalbox;
using namespace signalbox::upstream;
using classify::Dialect;
using fuzz::require;
using nlohmann::json;
using translate::AnswerPiece;

namespace {

translate::AnswerFacts facts() { return {"0abc", "m", 1, 42}; }

struct Told {
    std::vector<AnswerPiece> pieces;
    std::string problem;
    [[nodiscard]] std::string bytes() const {
        std::string all;
        for (const AnswerPiece& piece : pieces) all += static_cast<char>('0' + static_cast<int>(piece.kind)) + piece.bytes;
        return all + problem;
    }
};

Told tell(Dialect from, std::string_view stream, std::size_t longest) {
    Told out;
    SseReader reader;
    const auto translator = translate::makeStreamTranslator(from, facts());
    const auto take = [&](tl::expected<translate::AnswerPieces, translate::AnswerProblem> pieces) {
        if (!pieces) out.problem = pieces.error().code;
        else out.pieces.insert(out.pieces.end(), pieces->begin(), pieces->end());
    };
    while (!stream.empty() && out.problem.empty()) {
        const std::size_t step = std::min(stream.size(), 1 + static_cast<unsigned char>(stream.front()) % longest);
        require(reader.feed(stream.substr(0, step)), "less than the limit is never too large");
        stream.remove_prefix(step);
        while (out.problem.empty()) {
            auto event = reader.next();
            if (!event) break;
            if (!event->isComment()) take(translator->event(std::move(event->data)));
        }
    }
    if (auto rest = out.problem.empty() ? reader.rest() : std::nullopt; rest && !rest->isComment()) take(translator->event(std::move(rest->data)));
    if (out.problem.empty()) take(translator->end());
    return out;
}

/// The data of a piece; null for what has none.
json dataOf(const AnswerPiece& piece) {
    SseReader reader;
    require(reader.feed(piece.bytes), "a piece is no longer than what it tells");
    const auto event = reader.next();
    require(event.has_value() && !reader.next() && !reader.rest(), "a piece is one event");
    if (event->isComment() || event->data == "[DONE]") return nullptr;
    json data = json::parse(event->data, nullptr, false);
    require(data.is_object(), "an event is an object");
    require(event->name.empty() || event->name == data.value("type", ""), "an event has the name of its type");
    return data;
}

void checkMessage(const Told& told) {
    std::set<std::size_t> open;
    std::set<std::string> ids;
    std::size_t blocks = 0, at = 0;
    for (const AnswerPiece& piece : told.pieces) {
        const json event = dataOf(piece);
        const std::string type = event.value("type", "");
        require((type == "message_start") == (at++ == 0), "message_start is first and comes once");
        if (type == "content_block_start") {
            require(event["index"] == blocks, "indices count up");
            open.insert(blocks++);
            const json& block = event["content_block"];
            require(block["type"] != "tool_use" || ids.insert(block["id"].get<std::string>()).second, "no two calls have one id");
        }
        if (type == "content_block_delta") require(open.contains(event["index"].get<std::size_t>()), "a delta reaches an open block");
        if (type == "content_block_stop") require(open.erase(event["index"].get<std::size_t>()) == 1, "an open block stops");
        if (type == "message_delta") require(open.empty() && event["usage"]["output_tokens"].is_number_unsigned(), "all blocks stop before the end");
        require((type == "message_stop") == (piece.kind == AnswerPiece::Kind::done), "message_stop is the end");
    }
}

void checkChunks(const Told& told) {
    std::size_t calls = 0;
    for (const AnswerPiece& piece : told.pieces) {
        const json chunk = dataOf(piece);
        require((piece.bytes == "data: [DONE]\n\n") == (piece.kind == AnswerPiece::Kind::done), "[DONE] is the end");
        if (chunk.is_null()) continue;
        require(chunk["choices"].is_array() && chunk["id"].get<std::string>().starts_with("chatcmpl-"), "a chunk has choices and an id");
        require(chunk["choices"].empty() == (piece.kind == AnswerPiece::Kind::usage), "usage alone has no choice");
        for (const json& choice : chunk["choices"])
            for (const json& call : choice["delta"].value("tool_calls", json::array())) {
                const std::size_t index = call["index"];
                require(index <= calls, "calls count up");
                require((index == calls) == call.contains("id"), "a call begins with its id, once");
                calls = std::max(calls, index + 1);
            }
    }
}

void checkStream(Dialect from, std::string_view stream) {
    const Told told = tell(from, stream, std::size_t{1} << 20);
    for (const std::size_t longest : {1, 3, 17}) require(tell(from, stream, longest).bytes() == told.bytes(), "cuts change nothing");
    const auto isDone = [](const AnswerPiece& piece) { return piece.kind == AnswerPiece::Kind::done; };
    const auto ends = std::ranges::count_if(told.pieces, isDone);
    require(ends == (told.problem.empty() ? 1 : 0) || (ends == 1 && isDone(told.pieces.back())), "nothing follows the end");
    require(!told.problem.empty() || ends == 1, "what has no problem ends");
    if (from == Dialect::openai) checkMessage(told);
    else checkChunks(told);
}

void checkWhole(Dialect from, std::string_view body) {
    const auto told = from == Dialect::openai ? translate::anthropicAnswer(body, facts()) : translate::openAiAnswer(body, facts());
    if (told) require(json::accept(*told), "a whole answer is JSON");
    else require(!told.error().code.empty() && !told.error().what.empty(), "a problem has a name");
    const std::string error = translate::errorAnswer(from, body, 400);
    require(error.empty() || json::parse(error)["error"]["message"].is_string(), "an error says something");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || size > (std::size_t{1} << 16)) return 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Dialect from = data[0] % 2 == 0 ? Dialect::openai : Dialect::anthropic;
    checkStream(from, rest);
    checkWhole(from, rest);
    return 0;
}
