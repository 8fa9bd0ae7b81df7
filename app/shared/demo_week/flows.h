// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace signalbox::app {

/// What the requests of a flow ask for.
enum class DemoTask : std::uint8_t { chat, structured, tools, code, summary };

/// One team's steady use of one model: how often, when, and with which habits.
struct DemoFlow {
    std::string_view team;
    std::string_view principal;
    std::string_view model;
    DemoTask task = DemoTask::chat;
    std::uint32_t count = 0;              ///< requests in the whole week
    std::array<double, 7> days{};         ///< weights, Monday first, today last
    bool roundTheClock = false;           ///< else in office hours with a dip at noon
    double uncapped = 0.5;                ///< share that sends no output cap, and so counts as long
    std::array<std::uint32_t, 2> caps{};  ///< the two caps that the others send, half and half
    double manyAtOnce = 0.3;              ///< share that finds another request of its family in flight
    std::uint32_t inputTokens = 800;      ///< median
    std::uint32_t outputTokens = 200;     ///< median
    bool stream = true;
    bool sessions = false;                ///< clients name their session
    std::string_view profile = {};        ///< that some of them ask for
    double profileShare = 0;
    double toolShare = 0;                 ///< share that offers tools besides, when tools are not the task
};

/// How fast and how apt an endpoint of the demo was, before anything went wrong.
struct DemoEndpoint {
    std::string_view endpointId;
    double firstTokenMs = 300;  ///< median
    double tokensPerSecond = 50;
    double failureShare = 0.002;
    double toolCallsFit = 0.95;  ///< share of its tool calls whose arguments the offered schema accepts
};

/// Harrow Freight's week: 40 people, about 58,400 requests.
[[nodiscard]] std::span<const DemoFlow> demoFlows();
/// The entry of `endpointId`, or the last, which stands for any other.
[[nodiscard]] const DemoEndpoint& demoEndpoint(std::string_view endpointId);

}  // namespace signalbox::app
