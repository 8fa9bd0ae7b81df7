// SPDX-License-Identifier: MIT
#include "ui/models/group_words.h"

#include "ui/models/word_table.h"

namespace signalbox::ui::words {
namespace {

constexpr std::array kTerm{
    Word{"quality", QT_TRANSLATE_NOOP("words", "quality")},
    Word{"cost", QT_TRANSLATE_NOOP("words", "cost")},
    Word{"latency", QT_TRANSLATE_NOOP("words", "latency")},
    Word{"reliability", QT_TRANSLATE_NOOP("words", "reliability")},
    Word{"affinity", QT_TRANSLATE_NOOP("words", "affinity")},
};
constexpr std::array kDecidedBy{
    Word{"quality", QT_TRANSLATE_NOOP("words", "better prior")},
    Word{"cost", QT_TRANSLATE_NOOP("words", "cheaper")},
    Word{"latency", QT_TRANSLATE_NOOP("words", "faster by the hint")},
    Word{"reliability", QT_TRANSLATE_NOOP("words", "more reliable")},
    Word{"affinity", QT_TRANSLATE_NOOP("words", "session")},
};
constexpr std::array kCut{
    Word{"disabled", QT_TRANSLATE_NOOP("words", "disabled")},
    Word{"missing_provider", QT_TRANSLATE_NOOP("words", "provider missing")},
    Word{"credential", QT_TRANSLATE_NOOP("words", "no API key")},
    Word{"provider_cooldown", QT_TRANSLATE_NOOP("words", "cooling down")},
    Word{"capability", QT_TRANSLATE_NOOP("words", "cannot do this")},
    Word{"policy", QT_TRANSLATE_NOOP("words", "not allowed")},
};
constexpr std::array kCutHelp{
    Word{"disabled", QT_TRANSLATE_NOOP("words", "The group lists it as disabled; enable it there.")},
    Word{"missing_provider", QT_TRANSLATE_NOOP("words", "gateway.toml configures no such provider; add it there.")},
    Word{"credential", QT_TRANSLATE_NOOP("words", "The variable that holds its API key is not set; set it and start again.")},
    Word{"provider_cooldown", QT_TRANSLATE_NOOP("words", "It failed lately, so its circuit is open and it rests for a while.")},
    Word{"capability", QT_TRANSLATE_NOOP("words", "The model cannot serve this request: tools, vision, output form or length.")},
    Word{"policy", QT_TRANSLATE_NOOP("words", "This caller's access or budget rules it out.")},
};
constexpr std::array kCapability{
    Word{"tools", QT_TRANSLATE_NOOP("words", "tools")},
    Word{"parallel_tools", QT_TRANSLATE_NOOP("words", "parallel tools")},
    Word{"structured_output", QT_TRANSLATE_NOOP("words", "structured output")},
    Word{"vision", QT_TRANSLATE_NOOP("words", "vision")},
    Word{"context_tokens", QT_TRANSLATE_NOOP("words", "so long an input")},
    Word{"max_output_tokens", QT_TRANSLATE_NOOP("words", "so long an output")},
    // What a protocol has no words for
    Word{"several_choices", QT_TRANSLATE_NOOP("words", "several choices (n) in its protocol")},
    Word{"logprobs", QT_TRANSLATE_NOOP("words", "logprobs in its protocol")},
    Word{"logit_bias", QT_TRANSLATE_NOOP("words", "logit_bias in its protocol")},
    Word{"penalties", QT_TRANSLATE_NOOP("words", "penalties in its protocol")},
    Word{"seed", QT_TRANSLATE_NOOP("words", "a seed in its protocol")},
    Word{"audio", QT_TRANSLATE_NOOP("words", "audio in its protocol")},
    Word{"prediction", QT_TRANSLATE_NOOP("words", "predictions in its protocol")},
    Word{"files", QT_TRANSLATE_NOOP("words", "files of the other protocol")},
    Word{"json_object", QT_TRANSLATE_NOOP("words", "JSON without a schema in its protocol")},
    Word{"legacy_functions", QT_TRANSLATE_NOOP("words", "functions (the older tools) in its protocol")},
    Word{"custom_tools", QT_TRANSLATE_NOOP("words", "tools that are no functions in its protocol")},
    Word{"grammar", QT_TRANSLATE_NOOP("words", "guided decoding in its protocol")},
    Word{"web_search", QT_TRANSLATE_NOOP("words", "web_search_options in its protocol")},
    Word{"top_k", QT_TRANSLATE_NOOP("words", "top_k in its protocol")},
    Word{"thinking", QT_TRANSLATE_NOOP("words", "thinking in its protocol")},
    Word{"documents", QT_TRANSLATE_NOOP("words", "documents in its protocol")},
    Word{"server_tools", QT_TRANSLATE_NOOP("words", "tools that the upstream runs in its protocol")},
    Word{"citations", QT_TRANSLATE_NOOP("words", "citations in its protocol")},
    Word{"context_management", QT_TRANSLATE_NOOP("words", "context_management in its protocol")},
    Word{"temperature", QT_TRANSLATE_NOOP("words", "temperatures above 1 in its protocol")},
    Word{"effort", QT_TRANSLATE_NOOP("words", "that effort of reasoning in its protocol")},
    Word{"participant_names", QT_TRANSLATE_NOOP("words", "names of participants in its protocol")},
    Word{"stop_words", QT_TRANSLATE_NOOP("words", "stop words that the other protocol refuses")},
    Word{"other_fields", QT_TRANSLATE_NOOP("words", "a field that only one protocol has")},
    Word{"embeddings", QT_TRANSLATE_NOOP("words", "embeddings in its protocol")},
    Word{"legacy_completion", QT_TRANSLATE_NOOP("words", "prompts without messages in its protocol")},
    Word{"only_system", QT_TRANSLATE_NOOP("words", "messages of the system alone in its protocol")},
    Word{"call_arguments", QT_TRANSLATE_NOOP("words", "tool calls without a JSON object in its protocol")},
    Word{"message_images", QT_TRANSLATE_NOOP("words", "images beside the text in its protocol")},
    Word{"other_parts", QT_TRANSLATE_NOOP("words", "parts of that type in its protocol")},
    Word{"container", QT_TRANSLATE_NOOP("words", "container in its protocol")},
    Word{"mcp_servers", QT_TRANSLATE_NOOP("words", "mcp_servers in its protocol")},
};
constexpr std::array kProfile{
    Word{"quality", QT_TRANSLATE_NOOP("words", "quality")},
    Word{"balanced", QT_TRANSLATE_NOOP("words", "balanced")},
    Word{"economy", QT_TRANSLATE_NOOP("words", "economy")},
    Word{"latency", QT_TRANSLATE_NOOP("words", "latency")},
    Word{"explicit", QT_TRANSLATE_NOOP("words", "explicit")},
};
constexpr std::array kMode{
    Word{"off_static", QT_TRANSLATE_NOOP("words", "off")},
    Word{"shadow", QT_TRANSLATE_NOOP("words", "shadow")},
    Word{"canary_control", QT_TRANSLATE_NOOP("words", "canary control")},
    Word{"active", QT_TRANSLATE_NOOP("words", "active")},
    Word{"static", QT_TRANSLATE_NOOP("words", "explicit")},
};
constexpr std::array kModeHelp{
    Word{"off_static", QT_TRANSLATE_NOOP("words", "smart routing is off: the first configured candidate serves")},
    Word{"shadow", QT_TRANSLATE_NOOP("words", "every candidate is scored, and the first configured one serves")},
    Word{"canary_control", QT_TRANSLATE_NOOP("words", "outside of the percentage: scored, and the first configured one serves")},
    Word{"active", QT_TRANSLATE_NOOP("words", "within the percentage: the best score serves")},
    Word{"static", QT_TRANSLATE_NOOP("words", "the request named its endpoint itself")},
};
constexpr std::array kAffinity{
    Word{"no_session", QT_TRANSLATE_NOOP("words", "no session")},
    Word{"followed", QT_TRANSLATE_NOOP("words", "followed")},
    Word{"not_selected", QT_TRANSLATE_NOOP("words", "not selected")},
    Word{"favourite_cut", QT_TRANSLATE_NOOP("words", "its favourite was left out")},
};
constexpr std::array kReason{
    Word{"profile_quality", QT_TRANSLATE_NOOP("words", "profile quality")},
    Word{"profile_balanced", QT_TRANSLATE_NOOP("words", "profile balanced")},
    Word{"profile_economy", QT_TRANSLATE_NOOP("words", "profile economy")},
    Word{"profile_latency", QT_TRANSLATE_NOOP("words", "profile latency")},
    Word{"quality_prior", QT_TRANSLATE_NOOP("words", "quality prior")},
    Word{"expected_cost", QT_TRANSLATE_NOOP("words", "expected cost")},
    Word{"latency_hint", QT_TRANSLATE_NOOP("words", "latency hint")},
    Word{"runtime_reliability", QT_TRANSLATE_NOOP("words", "measured reliability")},
    Word{"session_affinity", QT_TRANSLATE_NOOP("words", "session affinity")},
    Word{"all_candidates_cooling", QT_TRANSLATE_NOOP("words", "all were cooling down, so they were tried as a last resort")},
    Word{"provider_cooldown_filtered", QT_TRANSLATE_NOOP("words", "some were cooling down")},
    Word{"smart_routing_off", QT_TRANSLATE_NOOP("words", "smart routing was off")},
    Word{"shadow_no_route_change", QT_TRANSLATE_NOOP("words", "shadow changes no route")},
    Word{"canary_control_no_route_change", QT_TRANSLATE_NOOP("words", "canary control changes no route")},
    Word{"filtered_capability", QT_TRANSLATE_NOOP("words", "some cannot serve this request")},
    Word{"filtered_credential", QT_TRANSLATE_NOOP("words", "some have no API key")},
    Word{"filtered_disabled", QT_TRANSLATE_NOOP("words", "some are disabled")},
    Word{"filtered_missing_provider", QT_TRANSLATE_NOOP("words", "some have no configured provider")},
    Word{"filtered_policy", QT_TRANSLATE_NOOP("words", "some are not allowed for this caller")},
    Word{"filtered_provider_cooldown", QT_TRANSLATE_NOOP("words", "some were cut for cooling down")},
    Word{"explicit_provider_model", QT_TRANSLATE_NOOP("words", "the request named its endpoint")},
};
constexpr std::array kNoFallback{
    Word{"next", QT_TRANSLATE_NOOP("words", "the next target was tried")},
    Word{"not_for_this_failure", QT_TRANSLATE_NOOP("words", "this kind of failure falls back nowhere: another target would answer the same")},
    Word{"not_allowed", QT_TRANSLATE_NOOP("words", "the request named its target, so no other may answer")},
    Word{"last_target", QT_TRANSLATE_NOOP("words", "it was the last target of the plan")},
    Word{"request_budget", QT_TRANSLATE_NOOP("words", "the time that the gateway gives one request was over")},
};

}  // namespace

QString term(std::string_view word) { return lookUp(kTerm, word); }
QString decidedBy(std::string_view word) { return lookUp(kDecidedBy, word); }
QString cut(std::string_view word) { return lookUp(kCut, word); }
QString cutHelp(std::string_view word) { return lookUp(kCutHelp, word); }
QString capability(std::string_view key) { return lookUp(kCapability, key); }
QString profile(std::string_view word) { return lookUp(kProfile, word); }
QString mode(std::string_view word) { return lookUp(kMode, word); }
QString modeHelp(std::string_view word) { return lookUp(kModeHelp, word); }
QString affinity(std::string_view word) { return lookUp(kAffinity, word); }
QString groupReason(std::string_view word) { return lookUp(kReason, word); }
QString whyNoFallback(std::string_view word) { return lookUp(kNoFallback, word); }

Tone modeTone(std::string_view mode) {
    if (mode == "active") return Tone::clear;
    if (mode == "shadow") return Tone::caution;
    if (mode == "canary_control") return Tone::canary;
    return Tone::idle;
}

Tone affinityTone(std::string_view result) {
    if (result == "followed") return Tone::clear;
    if (result == "favourite_cut") return Tone::caution;
    if (result == "not_selected") return Tone::info;
    return Tone::idle;
}

}  // namespace signalbox::ui::words
