// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/snippet_panel.h"

#include "router/policy/resolve.h"
#include "ui/bridge/bridge.h"
#include "ui/document/policy_document.h"
#include "ui/pages/gateway/snippets.h"
#include "ui/widgets/basics.h"
#include "ui/theme/format.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

SnippetPanel::SnippetPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_kind(new QComboBox), m_model(new QComboBox), m_streaming(new QCheckBox(tr("Streaming"))),
      m_text(new QPlainTextEdit) {
    m_kind->setAccessibleName(tr("Client"));
    m_kind->addItem(tr("curl"), static_cast<int>(SnippetKind::curl));
    m_kind->addItem(tr("openai for Node.js"), static_cast<int>(SnippetKind::openaiNode));
    m_kind->addItem(tr("openai for Python"), static_cast<int>(SnippetKind::openaiPython));
    m_kind->addItem(tr("curl, Anthropic's API"), static_cast<int>(SnippetKind::curlMessages));
    m_kind->addItem(tr("@anthropic-ai/sdk for Node.js"), static_cast<int>(SnippetKind::anthropicNode));
    m_kind->addItem(tr("anthropic for Python"), static_cast<int>(SnippetKind::anthropicPython));
    m_model->setAccessibleName(tr("Model"));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(10);
    m_streaming->setChecked(true);
    m_streaming->setAccessibleName(tr("Streaming"));
    m_text->setReadOnly(true);
    m_text->setAccessibleName(tr("Snippet"));
    m_text->setFont(Theme::instance().fixedFont());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_text->setMinimumHeight(m_text->fontMetrics().lineSpacing() * 12 + 16);
    auto* copyButton = makeButton(tr("Copy"), QStringLiteral("copy"));
    connect(copyButton, &QPushButton::clicked, this, &SnippetPanel::copy);

    auto* bar = new QHBoxLayout;
    bar->setSpacing(Theme::kGap);
    bar->addWidget(m_kind);
    bar->addWidget(m_model, 1);
    bar->addWidget(m_streaming);
    bar->addWidget(copyButton);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addLayout(bar);
    layout->addWidget(m_text, 1);

    connect(m_kind, &QComboBox::currentIndexChanged, this, &SnippetPanel::render);
    connect(m_model, &QComboBox::currentIndexChanged, this, &SnippetPanel::render);
    connect(m_streaming, &QCheckBox::toggled, this, &SnippetPanel::render);
    connect(context.document, &PolicyDocument::changed, this, &SnippetPanel::fillModels);
    connect(context.bridge, &Bridge::statusChanged, this, &SnippetPanel::render);
    fillModels();
}

void SnippetPanel::fillModels() {
    const QString before = m_model->currentText();
    const QSignalBlocker quiet(m_model);
    m_model->clear();
    const auto workspace = m_context.document->workspace();
    if (workspace && workspace->snapshot)
        for (const policy::ListedModel& model : policy::listModels(*workspace->snapshot)) m_model->addItem(format::text(model.id));
    if (const int same = m_model->findText(before); same >= 0) m_model->setCurrentIndex(same);
    render();
}

void SnippetPanel::render() {
    const engine::TargetStatus& status = m_context.bridge->status();
    SnippetInput input;
    input.baseUrl = status.baseUrl.empty() ? QStringLiteral("http://127.0.0.1:38082/v1") : format::text(status.baseUrl);
    input.model = m_model->currentText().isEmpty() ? QStringLiteral("MODEL") : m_model->currentText();
    input.streaming = m_streaming->isChecked();
    input.tokenRequired = status.tokenRequired;
    const QString text = makeSnippet(static_cast<SnippetKind>(m_kind->currentData().toInt()), input);
    if (text != m_text->toPlainText()) m_text->setPlainText(text);
}

void SnippetPanel::copy() {
    QGuiApplication::clipboard()->setText(m_text->toPlainText());
    m_context.say(tr("The snippet is copied"));
}

}  // namespace signalbox::ui
