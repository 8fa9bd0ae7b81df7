// SPDX-License-Identifier: MIT
#include "router/gateway/anthropic_models.h"

#include "router/base/text.h"
#include "router/gateway/routes.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace signalbox::gateway {

namespace {

constexpr std::size_t kMostModelsOnPage = 1000;

OrderedJson modelObject(const OrderedJson& openAis) {
    const auto id = openAis.at("id").get<std::string>();
    const Timestamp created{std::chrono::seconds(openAis.at("created").get<std::int64_t>())};
    return {{"type", "model"}, {"id", id}, {"display_name", id}, {"created_at", toIso8601(created)}};
}

tl::unexpected<EdgeError> badQuery(std::string_view name, std::string what) {
    return tl::unexpected(edgeError(400, "invalid_query", "The query's " + std::string(name) + " " + std::move(what),
                                    std::string(name)));
}

tl::expected<std::size_t, EdgeError> limitIn(std::string_view target) {
    const auto text = queryValue(target, "limit");
    if (!text)
        return std::string_view::npos;
    std::size_t limit = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
    if (error != std::errc() || end != text->data() + text->size() || limit == 0 || limit > kMostModelsOnPage)
        return badQuery("limit", "must be a number from 1 to 1000.");
    return limit;
}

/// The position of the model that a cursor names.
tl::expected<std::optional<std::size_t>, EdgeError> cursorIn(const OrderedJson& all, std::string_view target,
                                                             std::string_view name) {
    const auto id = queryValue(target, name);
    if (!id)
        return std::nullopt;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].at("id") == *id)
            return i;
    return badQuery(name, "names no model of the list.");
}

} // namespace

std::string anthropicModel(const std::string& openAiObject) {
    return modelObject(OrderedJson::parse(openAiObject)).dump();
}

tl::expected<std::string, EdgeError> anthropicModelList(const ModelCatalogue& models, std::string_view target) {
    const OrderedJson all = OrderedJson::parse(models.list).at("data");
    const auto limit = limitIn(target);
    if (!limit)
        return tl::unexpected(limit.error());
    const auto after = cursorIn(all, target, "after_id");
    if (!after)
        return tl::unexpected(after.error());
    const auto before = cursorIn(all, target, "before_id");
    if (!before)
        return tl::unexpected(before.error());
    std::size_t begin = *after ? **after + 1 : 0;
    std::size_t end = std::max(begin, before->value_or(all.size()));
    const bool isCut = end - begin > *limit;
    if (isCut && *before && !*after)
        begin = end - *limit; // the page that ends there
    else if (isCut)
        end = begin + *limit;
    OrderedJson data = OrderedJson::array();
    for (std::size_t i = begin; i < end; ++i)
        data.push_back(modelObject(all[i]));
    const OrderedJson first = data.empty() ? OrderedJson() : data.front().at("id");
    const OrderedJson last = data.empty() ? OrderedJson() : data.back().at("id");
    return OrderedJson{{"data", std::move(data)}, {"has_more", isCut}, {"first_id", first}, {"last_id", last}}.dump();
}

} // namespace signalbox::gateway
