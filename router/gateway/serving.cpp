// SPDX-License-Identifier: MIT
#include "router/gateway/serving.h"

#include "router/policy/resolve.h"

namespace signalbox::gateway {

std::shared_ptr<const Serving> makeServing(std::shared_ptr<const policy::PolicySnapshot> snapshot,
                                           std::shared_ptr<strategy::Router> router, AccessPolicy access,
                                           Timestamp createdAt) {
    const auto created = std::chrono::floor<std::chrono::seconds>(createdAt).time_since_epoch().count();
    auto serving = std::make_shared<Serving>();
    OrderedJson list = OrderedJson::array();
    for (const policy::ListedModel& model : policy::listModels(*snapshot)) {
        const OrderedJson object{
            {"id", model.id}, {"object", "model"}, {"created", created}, {"owned_by", model.ownedBy}};
        serving->modelById.emplace(model.id, object.dump());
        list.push_back(object);
    }
    serving->modelList = OrderedJson{{"object", "list"}, {"data", std::move(list)}}.dump();
    serving->snapshot = std::move(snapshot);
    serving->router = std::move(router);
    serving->access = std::move(access);
    return serving;
}

} // namespace signalbox::gateway
