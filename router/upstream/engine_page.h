// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/engine_metrics.h"
#include "router/upstream/prometheus_text.h"

#include <span>

namespace signalbox::upstream {

/// What a metrics page says in the words of its engine: vLLM (both engine generations), SGLang or the server of
/// llama.cpp. One reading for each `model_name`; in the order of the page.
///
/// Several engines behind one page (data parallel ranks) count together: requests and counters are summed, shares are
/// averaged. Copies of one number (tensor parallel ranks, processes) count once. SGLang's requests by priority are
/// left out, since its totals stand beside them. Names with an underscore instead of the colon are understood too.
/// Error: the page holds metrics of none of the three.
[[nodiscard]] Result<capacity::EnginePageReading> readEnginePage(std::span<const PrometheusSample> samples);

}  // namespace signalbox::upstream
