// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/snippets.h"

#include <nlohmann/json.hpp>
#include <QJsonArray>
#include <QJsonDocument>

namespace signalbox::ui {

// A JSON string literal is also a JavaScript and a Python one.
static QString quoted(const QString& text) {
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(array.mid(1, array.size() - 2));
}

static QString shellQuoted(QString text) {
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

/// The token stays out of what is copied into chats and tickets; the snippet says where it comes from.
static QString tokenComment(const SnippetInput& input, QLatin1String mark) {
    if (!input.tokenRequired) return {};
    return mark + QStringLiteral(" first, with the client token of this page:  export SIGNALBOX_TOKEN=…\n");
}

static QString curl(const SnippetInput& input) {
    QString body = QStringLiteral("{\n    \"model\": %1,\n    \"messages\": [{\"role\": \"user\", \"content\": \"Say hello\"}],\n    \"max_tokens\": 64").arg(quoted(input.model));
    if (input.streaming) body += QStringLiteral(",\n    \"stream\": true");
    QString text = tokenComment(input, QLatin1String("#")) + QStringLiteral("curl %1 %2/chat/completions \\\n").arg(input.streaming ? QStringLiteral("-N") : QStringLiteral("-i"), input.baseUrl);
    if (input.tokenRequired) text += QStringLiteral("  -H \"Authorization: Bearer $SIGNALBOX_TOKEN\" \\\n");
    text += QStringLiteral("  -H 'Content-Type: application/json' \\\n  -d ");
    return text + shellQuoted(body + QStringLiteral("\n  }"));
}

static QString node(const SnippetInput& input) {
    const QString key = input.tokenRequired ? QStringLiteral("process.env.SIGNALBOX_TOKEN") : QStringLiteral("\"unused\"");
    QString text = tokenComment(input, QLatin1String("//")) + QStringLiteral("import OpenAI from \"openai\";\n\nconst client = new OpenAI({\n  baseURL: %1,\n  apiKey: %2,\n});\n").arg(quoted(input.baseUrl), key);
    const QString call = QStringLiteral("await client.chat.completions.create({\n  model: %1,\n  messages: [{ role: \"user\", content: \"Say hello\" }],\n  max_tokens: 64,%2\n});\n")
                             .arg(quoted(input.model), input.streaming ? QStringLiteral("\n  stream: true,") : QString());
    if (input.streaming)
        return text + QStringLiteral("const stream = ") + call +
               QStringLiteral("for await (const chunk of stream)\n  process.stdout.write(chunk.choices[0]?.delta?.content ?? \"\");");
    return text + QStringLiteral("const answer = ") + call + QStringLiteral("console.log(answer.choices[0].message.content);");
}

static QString python(const SnippetInput& input) {
    const QString key = input.tokenRequired ? QStringLiteral("os.environ[\"SIGNALBOX_TOKEN\"]") : QStringLiteral("\"unused\"");
    const QString head = tokenComment(input, QLatin1String("#")) + QStringLiteral("%1from openai import OpenAI\n\nclient = OpenAI(base_url=%2, api_key=%3)\n")
                             .arg(input.tokenRequired ? QStringLiteral("import os\n") : QString(), quoted(input.baseUrl), key);
    const QString call = QStringLiteral("client.chat.completions.create(\n    model=%1,\n    messages=[{\"role\": \"user\", \"content\": \"Say hello\"}],\n    max_tokens=64,%2\n)\n")
                             .arg(quoted(input.model), input.streaming ? QStringLiteral("\n    stream=True,") : QString());
    if (input.streaming)
        return head + QStringLiteral("for chunk in ") + call.chopped(1) +
               QStringLiteral(":\n    if chunk.choices:\n        print(chunk.choices[0].delta.content or \"\", end=\"\")");
    return head + QStringLiteral("answer = ") + call + QStringLiteral("print(answer.choices[0].message.content)");
}

static QString curlMessages(const SnippetInput& input) {
    QString body = QStringLiteral("{\n    \"model\": %1,\n    \"max_tokens\": 64,\n    \"messages\": [{\"role\": \"user\", \"content\": \"Say hello\"}]").arg(quoted(input.model));
    if (input.streaming) body += QStringLiteral(",\n    \"stream\": true");
    QString text = tokenComment(input, QLatin1String("#")) + QStringLiteral("curl %1 %2/messages \\\n").arg(input.streaming ? QStringLiteral("-N") : QStringLiteral("-i"), input.baseUrl);
    if (input.tokenRequired) text += QStringLiteral("  -H \"x-api-key: $SIGNALBOX_TOKEN\" \\\n");
    text += QStringLiteral("  -H 'anthropic-version: 2023-06-01' \\\n  -H 'Content-Type: application/json' \\\n  -d ");
    return text + shellQuoted(body + QStringLiteral("\n  }"));
}

static QString anthropicNode(const SnippetInput& input) {
    const QString key = input.tokenRequired ? QStringLiteral("process.env.SIGNALBOX_TOKEN") : QStringLiteral("\"unused\"");
    const QString head = tokenComment(input, QLatin1String("//")) + QStringLiteral("import Anthropic from \"@anthropic-ai/sdk\";\n\nconst client = new Anthropic({\n  baseURL: %1,\n  apiKey: %2,\n});\n")
                             .arg(quoted(anthropicBaseUrl(input.baseUrl)), key);
    const QString question = QStringLiteral("({\n  model: %1,\n  max_tokens: 64,\n  messages: [{ role: \"user\", content: \"Say hello\" }],\n})").arg(quoted(input.model));
    if (input.streaming)
        return head + QStringLiteral("const stream = client.messages.stream") + question +
               QStringLiteral(";\nstream.on(\"text\", (text) => process.stdout.write(text));\nawait stream.finalMessage();");
    return head + QStringLiteral("const message = await client.messages.create") + question +
           QStringLiteral(";\nfor (const block of message.content)\n  if (block.type === \"text\") console.log(block.text);");
}

static QString anthropicPython(const SnippetInput& input) {
    const QString key = input.tokenRequired ? QStringLiteral("os.environ[\"SIGNALBOX_TOKEN\"]") : QStringLiteral("\"unused\"");
    const QString head = tokenComment(input, QLatin1String("#")) + QStringLiteral("%1from anthropic import Anthropic\n\nclient = Anthropic(base_url=%2, api_key=%3)\n")
                             .arg(input.tokenRequired ? QStringLiteral("import os\n") : QString(), quoted(anthropicBaseUrl(input.baseUrl)), key);
    const QString question = QStringLiteral("(\n    model=%1,\n    max_tokens=64,\n    messages=[{\"role\": \"user\", \"content\": \"Say hello\"}],\n)").arg(quoted(input.model));
    if (input.streaming)
        return head + QStringLiteral("with client.messages.stream") + question +
               QStringLiteral(" as stream:\n    for text in stream.text_stream:\n        print(text, end=\"\")");
    return head + QStringLiteral("message = client.messages.create") + question +
           QStringLiteral("\nprint(\"\".join(block.text for block in message.content if block.type == \"text\"))");
}

QString anthropicBaseUrl(const QString& baseUrl) {
    const QString version = QStringLiteral("/v1");
    return baseUrl.endsWith(version) ? baseUrl.chopped(version.size()) : baseUrl;
}

QString makeSnippet(SnippetKind kind, const SnippetInput& input) {
    switch (kind) {
    case SnippetKind::curl: return curl(input);
    case SnippetKind::openaiNode: return node(input);
    case SnippetKind::openaiPython: return python(input);
    case SnippetKind::curlMessages: return curlMessages(input);
    case SnippetKind::anthropicNode: return anthropicNode(input);
    case SnippetKind::anthropicPython: return anthropicPython(input);
    }
    return {};
}

}  // namespace signalbox::ui
