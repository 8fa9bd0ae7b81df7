// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/scripted_upstream.h"

#include <nlohmann/json.hpp>

namespace signalbox::test {

/// What an upstream was asked, whichever protocol it was asked in. Tests compare it as JSON.
///     {"system", "turns": [role…], "texts": [of users and assistants…], "images": ["image/png;4" or an address…],
///      "calls": [[id, name, arguments]…], "results": [[id, text]…], "tools": [[name, description, strict]…],
///      "choice", "parallel": false, "max", "temperature", "top_p", "stop", "user", "effort", "schema"}
/// Members that were not said are absent.
using Heard = nlohmann::ordered_json;

/// Refused by the real API, too: why, and what was heard when empty.
struct HeardRequest {
    std::string complaint;
    bool stream = false;
    bool asksForUsage = false;
    std::string model;
    Heard heard;
};
[[nodiscard]] HeardRequest hearOpenAi(const ReceivedRequest& request);
[[nodiscard]] HeardRequest hearAnthropic(const ReceivedRequest& request);

/// The answers of an upstream that speaks both protocols, each as strictly as the real one: a body that it would refuse
/// is answered with 400 and why.
///
/// Without tools it says what it heard, as JSON; with a schema `{"dock":3}`; with tools it calls the first of them twice at
/// once, or once when told so, `{"dock":3}` and `{"dock":4}`, and after results it speaks again. A limit of 5 tokens ends
/// the answer early. Every answer counts 21 tokens read, 5 of them from a cache, and 9 written.
///
/// A model whose name begins with `fault-KIND` fails: `fault-500`, `-429` (Retry-After: 7), `-529`, `-400`; `-frame`, 200 and
/// an error as first frame; `-early` and `-stall`, which end or stand still after the head and a first frame without
/// content; `-late`, `-latestall` and `-lateframe` the same after content. `no-index` leaves the index of calls out (F24).
[[nodiscard]] Reply speak(const ReceivedRequest& request);

}  // namespace signalbox::test
