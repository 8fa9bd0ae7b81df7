// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

#include <nlohmann/json_fwd.hpp>
#include <string_view>

/// The documents of the admin API (paths in router/gateway/admin_paths.h): what the gateway writes is what a client
/// reads. Members that are not known are passed over, absent ones mean the default, so that consoles and gateways of
/// different versions understand each other. Steady times travel as ages; `now` is the reader's or writer's own.
namespace signalbox::engine::wire {

[[nodiscard]] std::string encodeStatus(const TargetStatus& status, Steady now);
[[nodiscard]] std::string encodeEndpoints(const std::vector<EndpointHealth>& endpoints, Steady now);
[[nodiscard]] std::string encodePools(const std::vector<dispatch::PoolView>& pools);
[[nodiscard]] std::string encodeResources(const std::vector<ResourceView>& resources);
[[nodiscard]] std::string encodePrincipals(const std::vector<PrincipalUse>& principals);
[[nodiscard]] std::string encodeRefusals(const std::vector<RefusalCount>& refusals);
[[nodiscard]] std::string encodeRequests(const RequestsUnderWay& requests, Steady now);
[[nodiscard]] std::string encodeForecast(const dispatch::PoolForecast& forecast);
[[nodiscard]] std::string encodeEvents(const evidence::EventPage& page);

// Errors of all: badInput with the JSON pointer of the first value that is of another kind.
/// An unknown state reads as `running`, since somebody answered; one of the evidence as `unavailable`.
[[nodiscard]] Result<TargetStatus> decodeStatus(std::string_view json, Steady now);
[[nodiscard]] Result<std::vector<EndpointHealth>> decodeEndpoints(std::string_view json, Steady now);
[[nodiscard]] Result<std::vector<dispatch::PoolView>> decodePools(std::string_view json);
[[nodiscard]] Result<std::vector<ResourceView>> decodeResources(std::string_view json);
[[nodiscard]] Result<std::vector<PrincipalUse>> decodePrincipals(std::string_view json);
[[nodiscard]] Result<std::vector<RefusalCount>> decodeRefusals(std::string_view json);
/// An unknown stage reads as `waiting`; nobody decides by it.
[[nodiscard]] Result<RequestsUnderWay> decodeRequests(std::string_view json, Steady now);
[[nodiscard]] Result<dispatch::PoolForecast> decodeForecast(std::string_view json);
/// Events of a kind that this version does not know are left out.
[[nodiscard]] Result<evidence::EventPage> decodeEvents(std::string_view json);

/// `before=` of the next page of events, and back.
[[nodiscard]] std::string encodeKey(const evidence::EventKey& key);
[[nodiscard]] std::optional<evidence::EventKey> decodeKey(std::string_view text);

// What a client sends.
struct ModeRequest {
    config::RoutingMode mode = config::RoutingMode::off;
    std::optional<std::uint8_t> percent;
    bool operator==(const ModeRequest&) const = default;
};
struct ForecastRequest {
    std::string pool;
    dispatch::PoolQuestion question;
};
struct CircuitRequest {
    std::string endpointId;
    EndpointAction action = EndpointAction::trip;  ///< trip or reset
    bool operator==(const CircuitRequest&) const = default;
};
/// A policy with its minisign files, both as text, by file name.
struct ApplyRequest {
    struct File {
        std::string name;
        std::string text;
        std::vector<std::string> signatures;
        bool operator==(const File&) const = default;
    };
    std::vector<File> files;
    [[nodiscard]] const File* find(std::string_view name) const;
    bool operator==(const ApplyRequest&) const = default;
};

[[nodiscard]] std::string encodeOff(bool on);
[[nodiscard]] std::string encodeMode(const ModeRequest& request);
[[nodiscard]] std::string encodeEndpoint(const std::string& endpointId);
[[nodiscard]] std::string encodeCircuit(const CircuitRequest& request);
[[nodiscard]] std::string encodeForecastRequest(const ForecastRequest& request);
[[nodiscard]] std::string encodeApply(const ApplyRequest& request);
[[nodiscard]] std::string encodeNote(const std::string& words);
// Here nothing is passed over: a misspelt member of an order must not be read as its default.
[[nodiscard]] Result<bool> decodeOff(std::string_view json);
[[nodiscard]] Result<ModeRequest> decodeMode(std::string_view json);
[[nodiscard]] Result<std::string> decodeEndpoint(std::string_view json);
[[nodiscard]] Result<CircuitRequest> decodeCircuit(std::string_view json);
[[nodiscard]] Result<ForecastRequest> decodeForecastRequest(std::string_view json);
[[nodiscard]] Result<ApplyRequest> decodeApply(std::string_view json);
[[nodiscard]] Result<std::string> decodeNote(std::string_view json);

/// One line of `/admin/decisions`, with its newline.
[[nodiscard]] std::string decisionLine(const evidence::DecisionRecord& record);
[[nodiscard]] std::string skippedLine(std::uint64_t skipped);
[[nodiscard]] std::string heartbeatLine(Timestamp at);
[[nodiscard]] std::string endLine(std::string_view reason);
/// What such a line says; a line of a later kind says nothing.
struct StreamLine {
    std::optional<evidence::DecisionRecord> decision;
    std::uint64_t skipped = 0;
    bool heartbeat = false;
    std::string end;  ///< why the stream ends here; empty: it goes on
};
[[nodiscard]] Result<StreamLine> decodeLine(std::string_view line);

}  // namespace signalbox::engine::wire
