// SPDX-License-Identifier: MIT
#include "router/gateway/upstream_request.h"

#include "router/gateway/splice.h"
#include "router/policy/smart/capability.h"
#include "router/policy/smart/sizes.h"

namespace signalbox::gateway {

namespace {

using classify::Dialect;

/// What else concerns a body that goes on as it is. To the other protocol it says nothing.
SpliceWish wishOf(const config::Provider* provider, const classify::RequestFeatures& features,
                  const policy::RouteTarget& target) {
    SpliceWish wish{target.model};
    const bool isSame = provider != nullptr && provider->protocol != config::Protocol::anthropic;
    if (!isSame || features.dialect != Dialect::openai)
        return wish;
    wish.tokensField = provider->maxTokensField;
    wish.askForUsage = provider->streamUsage && features.stream;
    return wish;
}

/// Whoever looks at a trace finds the gateway's call under the client's own span, since we make none. What else clients may say
/// of themselves (`baggage`, cookies, names of organizations) is not for an upstream: it stays here.
void addTrace(const HttpRequest& head, std::vector<dispatch::Header>& out) {
    if (head.traceParent.empty())
        return;
    out.push_back({"traceparent", std::string(head.traceParent)});
    if (!head.traceState.empty())
        out.push_back({"tracestate", head.traceState});
}

/// Version and betas belong to that API alone.
void addAnthropics(const HttpRequest& head, std::vector<dispatch::Header>& out) {
    if (!head.anthropicVersion.empty())
        out.push_back({"anthropic-version", std::string(head.anthropicVersion)});
    if (!head.anthropicBeta.empty())
        out.push_back({"anthropic-beta", head.anthropicBeta});
}

/// A client of that API reads the size of its context from the answer's beginning (F20), so tools count too. An upstream
/// that speaks it says that itself, and the body need not be walked for it.
std::uint64_t inputTokensOf(const SaidRequest& said, const config::Provider* provider) {
    const classify::RequestFeatures& features = said.classified.features;
    const bool isNative = provider != nullptr && provider->protocol == config::Protocol::anthropic;
    if (features.dialect == Dialect::openai || isNative)
        return features.inputTokens;
    return policy::smart::plannedInputTokens(features, policy::smart::chatSizes(said.body).sizes);
}

} // namespace

dispatch::UpstreamRequest upstreamRequest(const SaidRequest& said, const config::GatewayConfig& config,
                                          const policy::RouteTarget& target) {
    const config::Provider* provider = config.findProvider(target.providerId);
    const classify::RequestFeatures& features = said.classified.features;
    dispatch::UpstreamRequest out;
    out.path = said.path;
    auto spliced = spliceBody(said.body, said.classified, wishOf(provider, features, target));
    // A body that cannot be spliced goes as it came: the upstream's own error is the clearest.
    out.body = spliced ? std::move(*spliced) : std::string(said.body);
    out.model = target.model;
    out.stream = features.stream;
    out.dialect = features.dialect;
    if (features.dialect == Dialect::anthropic && provider != nullptr && provider->protocol == config::Protocol::anthropic)
        addAnthropics(said.head, out.headers);
    addTrace(said.head, out.headers);
    out.decisionId = said.decisionId;
    out.inputTokens = inputTokensOf(said, provider);
    return out;
}

} // namespace signalbox::gateway
