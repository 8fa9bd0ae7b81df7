// SPDX-License-Identifier: MIT
#include "app/ctl/target_access.h"
#include "app/ctl/target_words.h"
#include "app/ctl/verbs.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {

int runStatus(const StatusOptions& options, Context& context) {
    auto access = accessOf(options.to, context);
    if (!access) return report(context, access.error());
    engine::AdminClient client(std::move(*access));
    const auto status = client.status();
    if (!status) return report(context, status.error());
    const auto endpoints = client.endpoints();
    if (!endpoints) return report(context, endpoints.error());
    if (!options.to.json) {
        printStatus(context.out, *status, *endpoints);
        return kOk;
    }
    const Steady now = context.clock.steady();
    auto document = nlohmann::ordered_json::parse(engine::wire::encodeStatus(*status, now));
    document.update(nlohmann::ordered_json::parse(engine::wire::encodeEndpoints(*endpoints, now)));
    context.out << document.dump(2) << '\n';
    return kOk;
}

}  // namespace signalbox::ctl
