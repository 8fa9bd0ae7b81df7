// SPDX-License-Identifier: MIT
#include "router/upstream/adapters.h"

#include "router/upstream/openai_compat.h"
#include "router/upstream/simulated.h"

namespace signalbox::upstream {

Result<std::shared_ptr<dispatch::Adapter>> makeAdapter(const config::Provider& provider,
                                                       const config::Environment& environment) {
    switch (provider.protocol) {
    case config::Protocol::openaiCompat: return OpenAiCompat::make(provider, environment);
    case config::Protocol::simulated: return std::make_shared<Simulated>(provider);
    case config::Protocol::anthropic: break;
    }
    return fail(ErrorKind::unavailable,
                "Provider " + provider.id + " speaks the Anthropic protocol, which this version cannot call",
                "providers." + provider.id + ".protocol", "Supported protocols are openai_compat and simulated");
}

}  // namespace signalbox::upstream
