// SPDX-License-Identifier: MIT
#include "router/upstream/foreign_request.h"

#include "router/base/text.h"
#include "router/upstream/failures.h"
#include "router/upstream/translated_answer.h"

#include <chrono>

namespace signalbox::upstream {

using classify::Dialect;
using dispatch::UpstreamFailure;

namespace {

constexpr std::string_view kIdPrefix = "rtd_";

translate::AnswerFacts factsOf(const dispatch::UpstreamRequest& request) {
    std::string id = request.decisionId.text();
    if (id.starts_with(kIdPrefix)) id.erase(0, kIdPrefix.size());
    const auto created = std::chrono::floor<std::chrono::seconds>(request.decisionId.time().time_since_epoch());
    return {std::move(id), request.model, created.count(), request.inputTokens};
}

bool isOfDialect(std::string_view header, Dialect dialect) {
    return asciiLower(header).starts_with(dialect == Dialect::anthropic ? "anthropic-" : "openai-");
}

}  // namespace

std::string anthropicPath(std::string_view path) {
    return path.starts_with("/v1/") ? std::string(path) : "/v1" + std::string(path);
}

UpstreamFailure noSuchOperation(std::string_view providerId, std::string_view path) {
    UpstreamFailure failure =
        makeFailure(UpstreamFailure::Kind::refused, std::string(kNoSuchOperation),
                    "Provider " + std::string(providerId) + " speaks a protocol that has no " + std::string(path));
    failure.status = 404;
    return failure;
}

UpstreamFailure cannotCarry(std::string_view providerId, const Error& why) {
    UpstreamFailure failure = makeFailure(UpstreamFailure::Kind::refused, "cannot_be_translated",
                                          "The request cannot be told in the protocol of provider " +
                                              std::string(providerId) + ": " + elided(why.text(), kMaxUpstreamText));
    failure.status = 400;
    failure.where = why.where;
    return failure;
}

ForeignRequest::ForeignRequest(const dispatch::UpstreamRequest& request, std::string_view providerId)
    : m_providerId(providerId), m_facts(factsOf(request)), m_client(request.dialect), m_stream(request.stream) {}

void ForeignRequest::become(dispatch::UpstreamRequest& request, Dialect spoken, std::string_view path, std::string body) {
    std::erase_if(request.headers,
                  [&](const dispatch::Header& header) { return isOfDialect(header.name, request.dialect); });
    request.dialect = spoken;
    request.path = path;
    request.body = std::move(body);
}

ForeignRequest::Answer ForeignRequest::answered(Answer answer) const {
    if (answer) return std::make_unique<TranslatedAnswer>(std::move(*answer), m_providerId, m_client, m_facts, m_stream, m_leftOut);
    UpstreamFailure failure = std::move(answer.error());
    failure.body = translate::errorAnswer(m_client, failure.body, failure.status);
    failure.leftOut = m_leftOut;
    return tl::unexpected(std::move(failure));
}

}  // namespace signalbox::upstream
