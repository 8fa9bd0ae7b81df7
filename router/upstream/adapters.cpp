// SPDX-License-Identifier: MIT
#include "router/upstream/adapters.h"

#include "router/upstream/anthropic.h"
#include "router/upstream/openai_compat.h"
#include "router/upstream/simulated.h"
#include "router/upstream/why_not_callable.h"

namespace signalbox::upstream {

Result<std::shared_ptr<dispatch::Adapter>> makeAdapter(const config::Provider& provider,
                                                       const config::Environment& environment) {
    switch (provider.protocol) {
    case config::Protocol::openaiCompat: return OpenAiCompat::make(provider, environment);
    case config::Protocol::simulated: return std::make_shared<Simulated>(provider);
    case config::Protocol::anthropic: return Anthropic::make(provider, environment);
    }
    return fail(ErrorKind::internal, "Provider " + provider.id + " speaks a protocol that nobody knows",
                "providers." + provider.id + ".protocol");
}

std::optional<Error> whyNotCallable(const config::Provider& provider, const config::Environment& environment) {
    auto adapter = makeAdapter(provider, environment);
    if (adapter) return std::nullopt;
    return std::move(adapter.error());
}

}  // namespace signalbox::upstream
