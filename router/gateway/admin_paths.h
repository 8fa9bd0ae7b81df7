// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// Where the admin API answers (contract D), and what travels there. All bodies are JSON objects; errors have the shape
/// of the OpenAI edge. `router/engine/admin_wire.h` writes and reads the documents.
namespace signalbox::gateway::admin {

inline constexpr std::string_view kPrefix = "/admin/";

// GET
inline constexpr std::string_view kRouterStatus = "/admin/router/status"; ///< the smart-routing system's own document
inline constexpr std::string_view kStatus = "/admin/status";              ///< TargetStatus
inline constexpr std::string_view kPolicy = "/admin/policy";              ///< policy-snapshot.json of what runs
inline constexpr std::string_view kEndpoints = "/admin/endpoints";        ///< `{"endpoints":[EndpointHealth…]}`
inline constexpr std::string_view kPools = "/admin/pools";                ///< `{"pools":[PoolView…]}`
inline constexpr std::string_view kResources = "/admin/resources";        ///< `{"resources":[ResourceView…]}`
inline constexpr std::string_view kPrincipals = "/admin/principals";      ///< `{"principals":[PrincipalUse…]}`
/// `{"refusals":[RefusalCount…],"window_s":3600}`: one by code and client (`peer`, `agent`, `principal`; `others` where there
/// was no room to tell clients apart), with the `count` of the last hour. Without `window_s`, from an older gateway: since it started.
inline constexpr std::string_view kRefusals = "/admin/refusals";
/// `{"requests":[RunningRequest…],"left_out":N}`: the oldest of those that were admitted and have not ended, oldest first.
inline constexpr std::string_view kRequests = "/admin/requests";
/// A stream of JSON lines, one object each: `{"decision":RECORD}`, `{"skipped":N}` for what came faster than it was
/// read, `{"heartbeat":TIME}` after 10 s without another line, `{"end":REASON}` as the last one.
inline constexpr std::string_view kDecisions = "/admin/decisions";
/// GET: `{"events":[EVENT…],"next":KEY}`, newest first; `?limit=N` (1…1000, 100 by default) and `?before=KEY`, the
/// `next` of the page before. POST `{"words":TEXT}`: a note.
inline constexpr std::string_view kEvents = "/admin/events";

// POST
/// `{"request":BODY, "edge":"openai"|"anthropic", "principal":ID, "in_flight":N, "expected_length", "category", "input_tokens", "profile",
/// "session", "pin", "request_id"}`, only `request` needed. Answers what `signalboxctl decide --json` prints.
inline constexpr std::string_view kDecide = "/admin/decide";
inline constexpr std::string_view kForecast = "/admin/forecast"; ///< `{"pool":ID,"question":PoolQuestion}` -> PoolForecast
// The rest are actions: written down as events, and answered with the status after it.
inline constexpr std::string_view kOff = "/admin/off";         ///< `{"on":BOOL}`
inline constexpr std::string_view kMode = "/admin/mode";       ///< `{"mode":WORD,"percent":N}`
inline constexpr std::string_view kDrain = "/admin/drain";     ///< `{"endpoint":ID}`
inline constexpr std::string_view kUndrain = "/admin/undrain"; ///< `{"endpoint":ID}`
inline constexpr std::string_view kCircuit = "/admin/circuit"; ///< `{"endpoint":ID,"action":"trip"|"reset"}`
/// `{"files":{NAME:TEXT…},"signatures":{NAME:[TEXT…]…}}`: routing-table.json, gateway.toml, and their minisign files.
inline constexpr std::string_view kApply = "/admin/apply";

/// Who acts, as they call themselves, for the audit: bounded, visible ASCII. The token alone decides what they may do.
inline constexpr std::string_view kActorHeader = "X-Signalbox-Actor";

} // namespace signalbox::gateway::admin
