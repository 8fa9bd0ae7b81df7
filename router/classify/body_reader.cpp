// SPDX-License-Identifier: MIT
#include "router/classify/body_reader.h"

#include "router/base/text.h"
#include "router/classify/tokens.h"
#include "router/classify/walk.h"

#include <algorithm>
#include <cstring>

namespace signalbox::classify {

namespace {

/// Bodies above this size give their memory back.
constexpr std::size_t kKeepBytes = std::size_t{1} << 20;

tl::unexpected<Error> malformed(const std::string& what, std::size_t at) {
    return fail(ErrorKind::badInput, "the request body " + what, "byte " + std::to_string(at),
                "Send one JSON object in UTF-8, as the API describes it");
}

tl::unexpected<Error> explained(simdjson::error_code code, std::string_view body, std::optional<std::size_t> at) {
    switch (code) {
        case simdjson::EMPTY: return malformed("is empty", 0);
        case simdjson::UTF8_ERROR: return malformed("is not valid UTF-8", firstInvalidUtf8(body));
        case simdjson::UNCLOSED_STRING: return malformed("has a string that does not end", firstBrokenString(body));
        case simdjson::UNESCAPED_CHARS: return malformed("has a raw control character in a string", firstBrokenString(body));
        case simdjson::INCOMPLETE_ARRAY_OR_OBJECT: return malformed("does not end with its closing brace", body.size());
        case simdjson::CAPACITY:
        case simdjson::MEMALLOC:
            return fail(ErrorKind::unavailable, "there is not enough memory to read the request body", {},
                        "Try again later or send a smaller body");
        default: return malformed("is not valid JSON", at.value_or(body.size()));
    }
}

bool speaksOfTools(Key key, Dialect dialect) {
    return key == Key::tools || key == Key::toolChoice || (key == Key::parallelToolCalls && dialect == Dialect::openai);
}

std::vector<BodyMap::Range> orderedCuts(std::vector<Walk::Member>& members, bool emptyTools, Dialect dialect,
                                        std::vector<BodyMap::Range> cuts) {
    if (emptyTools)
        for (Walk::Member& member : members) member.cut = member.cut || speaksOfTools(member.key, dialect);
    appendCuts(members, cuts);
    std::sort(cuts.begin(), cuts.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return cuts;
}

}  // namespace

struct BodyReader::Scratch {
    simdjson::ondemand::parser parser;
    std::vector<char> padded;
    std::vector<Walk::Member> members;

    // simdjson reads past the end, so the body is copied where there is room for that.
    simdjson::padded_string_view load(std::string_view body) {
        const std::size_t needed = body.size() + simdjson::SIMDJSON_PADDING;
        if (padded.size() < needed) padded.resize(std::max(needed, 2 * padded.size()));
        std::memcpy(padded.data(), body.data(), body.size());
        std::memset(padded.data() + body.size(), ' ', simdjson::SIMDJSON_PADDING);
        members.clear();
        return simdjson::padded_string_view(padded.data(), body.size(), padded.size());
    }
    void trim() {
        // A body of nothing but small members makes more of them than of anything else.
        if (members.capacity() * sizeof(Walk::Member) > kKeepBytes) members = std::vector<Walk::Member>();
        if (padded.size() <= 2 * kKeepBytes) return;
        padded = std::vector<char>();
        parser = simdjson::ondemand::parser();
    }
};

BodyReader::BodyReader() : m_scratch(std::make_unique<Scratch>()) {}
BodyReader::~BodyReader() = default;

Result<BodyFacts> BodyReader::read(Dialect dialect, std::string_view body) {
    if (body.empty()) return explained(simdjson::EMPTY, body, 0);
    // However it ends: what is refused at once may be as large as what is read.
    struct Trimming {
        Scratch& scratch;
        ~Trimming() { scratch.trim(); }
    } const trimming{*m_scratch};
    const simdjson::padded_string_view text = m_scratch->load(body);
    const auto offset = [&](const char* at) { return static_cast<std::size_t>(at - text.data()); };
    simdjson::ondemand::document document;
    if (const auto error = m_scratch->parser.iterate(text).get(document)) return explained(error, body, std::nullopt);
    Result<BodyFacts> facts;
    try {
        if (document.type() != simdjson::ondemand::json_type::object) return malformed("is not a JSON object", 0);
        const auto walk = [&](auto&& how) {
            how.run();
            facts->map.cuts = orderedCuts(m_scratch->members, how.toolsIsEmpty(), dialect, std::move(facts->map.cuts));
        };
        if (dialect == Dialect::anthropic) walk(AnthropicWalk(text, document, m_scratch->members, *facts));
        else walk(OpenAiWalk(text, document, m_scratch->members, *facts));
    } catch (const DuplicateKey& duplicate) {
        facts = fail(ErrorKind::badInput, "the request body has the key \"" + std::string(duplicate.key) + "\" twice",
                     "byte " + std::to_string(duplicate.at), "Send it once: the upstream might read the other one");
    } catch (const BodyProblem& problem) {
        facts = malformed(problem.what, offset(problem.at));
    } catch (const simdjson::simdjson_error& error) {
        const auto location = document.current_location();
        std::optional<std::size_t> at;
        if (location.error() == simdjson::SUCCESS) at = offset(location.value_unsafe());
        facts = explained(error.error(), body, at);
    }
    return facts;
}

}  // namespace signalbox::classify
