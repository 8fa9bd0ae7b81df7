// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/flows.h"

namespace signalbox::app {
namespace {

constexpr std::array kWeek{1.0, 1.1, 1.1, 1.0, 0.9, 0.25, 0.25};
constexpr std::array kEveryDay{1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.8};
constexpr std::array kTueToFri{0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0};

// 22,600 requests name a model of the table, 31,200 an alias, 4,600 an endpoint.
constexpr DemoFlow kFlows[] = {
    // Most of these never reach the K=4 sibling: no output cap means long, and most come one at a time.
    {"dispatch-extract", "p-dispatch", "gemma-4-26b", DemoTask::structured, 6100, kWeek, true, 0.71, {180, 480}, 0.46, 900, 140, false},
    // A declared gap with traffic, from two teams.
    {"dispatch-extract", "p-dispatch", "gemma-4-31b", DemoTask::structured, 1160, kTueToFri, false, 0.30, {200, 200}, 0.0, 1400, 150, false},
    {"research", "p-research", "gemma-4-31b", DemoTask::tools, 780, kTueToFri, false, 0.40, {220, 400}, 0.0, 2200, 170, true},
    {"support-bot", "p-support", "gemma-4-26b", DemoTask::chat, 5400, kEveryDay, true, 0.35, {220, 500}, 0.5, 700, 190, true},
    {"coding-agents", "p-coding", "qwen3.6-35b", DemoTask::code, 5000, kWeek, false, 0.55, {256, 512}, 0.6, 6000, 420, true},
    {"coding-agents", "p-coding", "gemma-4-26b", DemoTask::code, 600, kWeek, false, 0.30, {250, 500}, 0.6, 3000, 240, true},
    {"research", "p-research", "gemma-4-31b", DemoTask::chat, 2560, kWeek, false, 0.6, {500, 900}, 0.25, 1800, 480, true},
    {"batch-eval", "p-batch", "gemma-4-31b-it-awq", DemoTask::summary, 1000, kEveryDay, true, 0.0, {250, 500}, 0.7, 9000, 230, false},

    {"support-bot", "p-support", "auto", DemoTask::tools, 14000, kEveryDay, true, 0.15, {220, 400}, 0.5, 950, 130, true, true, "latency", 0.198},
    {"coding-agents", "p-coding", "auto", DemoTask::code, 9000, kWeek, false, 0.55, {512, 900}, 0.5, 6000, 380, true, true, "quality", 0.203, 0.4},
    {"dispatch-extract", "p-dispatch", "auto-extract", DemoTask::structured, 4200, kWeek, true, 0.2, {180, 250}, 0.4, 900, 120, false},
    {"batch-eval", "p-batch", "auto", DemoTask::summary, 4000, kEveryDay, true, 0.0, {200, 500}, 0.6, 7000, 210, false, false, "quality", 0.10},

    {"research", "p-research", "deepseek:deepseek-v4-flash", DemoTask::chat, 2600, kEveryDay, true, 0.5, {500, 900}, 0.3, 2500, 420, true, false, {}, 0, 0.45},
    {"batch-eval", "p-batch", "fast", DemoTask::structured, 2000, kEveryDay, true, 0.0, {200, 400}, 0.5, 1200, 160, false},
};

constexpr DemoEndpoint kEndpoints[] = {
    {"lab_a:gemma-4-26b", 310, 52, 0.002},
    {"lab_a:gemma-4-26b-k4", 330, 61, 0.002},
    {"lab_b:gemma-4-31b", 620, 31, 0.003, 0.962},
    {"lab_b:gemma-4-31b-k3", 640, 38, 0.003, 0.962},
    {"lab_b:qwen3.6-35b", 520, 44, 0.003},
    {"lab_b:qwen3.5-9b", 390, 58, 0.004, 0.912},
    {"deepseek:deepseek-v4-flash", 760, 88, 0.006, 0.978},
    {"", 500, 45, 0.004},
};

}  // namespace

std::span<const DemoFlow> demoFlows() { return kFlows; }

const DemoEndpoint& demoEndpoint(std::string_view endpointId) {
    for (const DemoEndpoint& endpoint : kEndpoints)
        if (endpoint.endpointId == endpointId) return endpoint;
    return kEndpoints[std::size(kEndpoints) - 1];
}

}  // namespace signalbox::app
