// SPDX-License-Identifier: MIT
#include "router/engine/build_serving.h"

#include "router/upstream/adapters.h"

namespace signalbox::engine {

namespace {

/// `api_key_env` of `providers.ID.api_key_env`; what is no key of the provider has its place in the message alone.
std::string keyToBlame(const config::Provider& provider, std::string_view where) {
    const std::string section = "providers." + provider.id + ".";
    if (!where.starts_with(section))
        return "settings";
    const std::string_view key = where.substr(section.size());
    return std::string(key.substr(0, key.find('.')));
}

} // namespace

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
    gateway::ProviderLacks lacks;
    for (const config::Provider& provider : snapshot->config->providers) {
        auto adapter = upstream::makeAdapter(provider, environment);
        if (adapter) {
            adapters.emplace(provider.id, std::move(*adapter));
        } else {
            notCallable.emplace(provider.id, adapter.error().text());
            lacks.emplace(provider.id, gateway::ProviderLack{keyToBlame(provider, adapter.error().where), adapter.error().message});
            built.notices.push_back(adapter.error().text());
        }
    }
    auto serving = gateway::makeServing({std::move(snapshot), std::move(*access), std::move(process),
                                         std::move(adapters), std::move(notCallable), std::move(lacks)},
                                        clock);
    if (!serving)
        return tl::unexpected(std::move(serving.error()));
    built.serving = std::move(*serving);
    return built;
}

} // namespace signalbox::engine
