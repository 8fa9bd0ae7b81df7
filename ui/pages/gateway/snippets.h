// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace signalbox::ui {

enum class SnippetKind { curl, openaiNode, openaiPython, curlMessages, anthropicNode, anthropicPython };

/// What a client needs to send, ready to paste. The token is named by variable, never written out.
struct SnippetInput {
    QString baseUrl;  ///< http://127.0.0.1:38082/v1
    QString model;
    bool streaming = true;
    bool tokenRequired = true;
};
/// What Anthropic's SDKs want as their base URL: they put `/v1` behind it themselves.
[[nodiscard]] QString anthropicBaseUrl(const QString& baseUrl);
[[nodiscard]] QString makeSnippet(SnippetKind kind, const SnippetInput& input);

}  // namespace signalbox::ui
