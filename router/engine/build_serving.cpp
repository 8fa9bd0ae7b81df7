// SPDX-License-Identifier: MIT
#include "router/engine/build_serving.h"

#include "router/upstream/adapters.h"

namespace signalbox::engine {

Result<BuiltServing> buildServing(std::shared_ptr<const policy::PolicySnapshot> snapshot,
                                  const config::Environment& environment, const GatewayTokens& tokens,
                                  std::shared_ptr<capacity::ProcessState> process, const Clock& clock) {
    auto access = gateway::AccessPolicy::make(*snapshot->config, environment, tokens.client, tokens.admin);
    if (!access)
        return tl::unexpected(access.error());
    BuiltServing built;
    built.notices = access->notices();
    strategy::AdapterMap adapters;
    strategy::NotCallable notCallable;
    for (const config::Provider& provider : snapshot->config->providers) {
        auto adapter = upstream::makeAdapter(provider, environment);
        if (adapter) {
            adapters.emplace(provider.id, std::move(*adapter));
        } else {
            notCallable.emplace(provider.id, adapter.error().text());
            built.notices.push_back(adapter.error().text());
        }
    }
    auto serving = gateway::makeServing({std::move(snapshot), std::move(*access), std::move(process),
                                         std::move(adapters), std::move(notCallable)},
                                        clock);
    if (!serving)
        return tl::unexpected(std::move(serving.error()));
    built.serving = std::move(*serving);
    return built;
}

} // namespace signalbox::engine
