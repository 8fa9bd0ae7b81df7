// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/dispatch/adapter.h"
#include "router/upstream/translate/answer_translation.h"

namespace signalbox::upstream {

/// Paths of operations as the edges name them. Each adapter puts them where its upstream has them.
inline constexpr std::string_view kChatPath = "/chat/completions";
inline constexpr std::string_view kMessagesPath = "/v1/messages";
inline constexpr std::string_view kCountTokensPath = "/v1/messages/count_tokens";
/// With `/v1` before it, whether or not it was written.
[[nodiscard]] std::string anthropicPath(std::string_view path);

/// The code of a refusal by which an upstream has no such operation, and nothing was sent: tokens are then counted here.
inline constexpr std::string_view kNoSuchOperation = "operation_not_supported";
[[nodiscard]] dispatch::UpstreamFailure noSuchOperation(std::string_view providerId, std::string_view path);
/// What an answer or a failure says was left out of the request (`ResponseHead::leftOut`).
inline constexpr std::string_view kStrictField = "strict";
/// The request says what the upstream's protocol has no words for. Nothing was sent; another target may carry it.
[[nodiscard]] dispatch::UpstreamFailure cannotCarry(std::string_view providerId, const Error& why);

/// A request in a protocol that the upstream does not speak, while it is sent in the other one, and the way back of its
/// answer.
class ForeignRequest {
public:
    using Answer = tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>;

    /// Remembers what the answer must say.
    ForeignRequest(const dispatch::UpstreamRequest& request, std::string_view providerId);

    /// Rewrites it as one in the upstream's protocol. Headers that only its own protocol knows are left out.
    static void become(dispatch::UpstreamRequest& request, classify::Dialect spoken, std::string_view path, std::string body);

    /// The answer, or the failure, then says so. `field` is a literal.
    void leaveOut(std::string_view field) { m_leftOut = field; }

    /// The answer, or the failure, in the client's protocol.
    [[nodiscard]] Answer answered(Answer answer) const;

private:
    std::string m_providerId;
    translate::AnswerFacts m_facts;
    classify::Dialect m_client;
    bool m_stream;
    std::string_view m_leftOut;
};

}  // namespace signalbox::upstream
