// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/try_panel.h"

#include "router/policy/resolve.h"
#include "ui/bridge/bridge.h"
#include "ui/document/policy_document.h"
#include "ui/pages/gateway/try_words.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/forms/wheel_guard.h"
#include "ui/widgets/tone_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QSpinBox>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kMostTokens = 1'000'000, kUsualCap = 256;
/// Enough to read; a view of more would make the window slow.
static constexpr int kMostShown = 400'000;

template <class Field>
static Field* named(Field* field, const char* objectName, const QString& accessibleName) {
    field->setObjectName(QLatin1String(objectName));
    field->setAccessibleName(accessibleName);
    return field;
}

TryPanel::TryPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(named(new QComboBox, "tryModel", tr("Model to ask for"))),
      m_pin(named(new QLineEdit, "tryPin", tr("Pin: preset or endpoint, optional"))), m_cap(named(new QSpinBox, "tryCap", tr("Output tokens at most"))),
      m_streaming(named(new QCheckBox(tr("Streaming")), "tryStreaming", tr("Streaming"))), m_prompt(named(new QPlainTextEdit, "tryPrompt", tr("Prompt"))),
      m_send(makeButton(tr("Send"), QStringLiteral("play"), ButtonRole::primary)), m_cancel(makeButton(tr("Cancel"))),
      m_answer(named(new QPlainTextEdit, "tryAnswer", tr("Answer"))), m_state(new ToneText), m_decision(new ToneText),
      m_receipt(makeButton(tr("Open the receipt"), QStringLiteral("history"), ButtonRole::quiet)) {
    makeControls();
    makeLayout();
    connect(m_send, &QPushButton::clicked, this, &TryPanel::send);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_run) m_run->cancel();
    });
    connect(m_receipt, &QPushButton::clicked, this, [this] { Q_EMIT receiptWanted(m_decisionId); });
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &TryPanel::refresh);
    connect(m_model, &QComboBox::editTextChanged, this, &TryPanel::refresh);
    connect(context.bridge, &Bridge::targetChanged, this, &TryPanel::startOver);
    connect(context.bridge, &Bridge::statusChanged, this, &TryPanel::fillModels);
    connect(context.document, &PolicyDocument::changed, this, &TryPanel::fillModels);
    for (const auto keys : {Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(keys), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, m_send, &QPushButton::click);
    }
    fillModels();
}

// Breaks off what runs: nobody would read it.
TryPanel::~TryPanel() = default;

void TryPanel::makeControls() {
    m_model->setEditable(true);  // a name that leads nowhere may be just what is tried
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(14);
    m_model->setToolTip(tr("What the client writes in the field model"));
    m_pin->setPlaceholderText(tr("Pin (optional)"));
    m_pin->setToolTip(tr("Sent as X-Signalbox-Pin: exactly this preset or endpoint, without fallback"));
    m_cap->setRange(0, kMostTokens);
    m_cap->setValue(kUsualCap);
    m_cap->setSpecialValueText(tr("no cap"));
    m_cap->setSuffix(tr(" tokens"));
    m_cap->setToolTip(tr("max_tokens; without a cap the output counts as long"));
    guardFromWheel({m_cap, m_model});
    m_streaming->setChecked(true);
    m_prompt->setPlaceholderText(tr("Say hello"));
    m_prompt->setTabChangesFocus(true);
    m_prompt->setFixedHeight(m_prompt->fontMetrics().lineSpacing() * 2 + 16);
    m_prompt->setToolTip(tr("Sent with Ctrl+Return, as an OpenAI client sends it to /v1/chat/completions; kept nowhere"));
    m_answer->setReadOnly(true);
    m_answer->setPlaceholderText(tr("Answers appear here"));
    m_answer->setTabChangesFocus(true);
    m_answer->setProperty("data", true);
    m_answer->setMinimumHeight(m_answer->fontMetrics().lineSpacing() * 3 + 16);
    m_send->setObjectName(QStringLiteral("trySend"));
    m_cancel->setObjectName(QStringLiteral("tryCancel"));
    m_receipt->setObjectName(QStringLiteral("tryReceipt"));
    m_decision->setObjectName(QStringLiteral("tryDecision"));
    m_state->setObjectName(QStringLiteral("tryState"));
    m_cancel->hide();
    m_receipt->hide();
    m_decision->hide();
}

void TryPanel::makeLayout() {
    auto* bar = new QHBoxLayout;
    bar->setSpacing(Theme::kGap);
    bar->addWidget(m_model, 2);
    bar->addWidget(m_pin, 1);
    bar->addWidget(m_cap);
    bar->addWidget(m_streaming);
    auto* ask = new QHBoxLayout;
    ask->setSpacing(Theme::kGap);
    ask->addWidget(m_prompt, 1);
    ask->addWidget(m_cancel, 0, Qt::AlignTop);
    ask->addWidget(m_send, 0, Qt::AlignTop);
    auto* decided = new QHBoxLayout;
    decided->setSpacing(Theme::kGap);
    decided->addWidget(m_decision, 1);
    decided->addWidget(m_receipt, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addLayout(bar);
    layout->addLayout(ask);
    layout->addWidget(m_answer, 1);
    layout->addWidget(m_state);
    layout->addLayout(decided);
}

// Of what runs, which is what answers; of the draft while nothing does.
void TryPanel::fillModels() {
    const auto workspace = m_context.document->workspace();
    const auto snapshot = m_context.bridge->running() ? m_context.bridge->running() : workspace ? workspace->snapshot : nullptr;
    QStringList names;
    if (snapshot)
        for (const policy::ListedModel& model : policy::listModels(*snapshot)) names << format::text(model.id);
    QStringList before;
    for (int i = 0; i < m_model->count(); ++i) before << m_model->itemText(i);
    if (names != before) {
        const QString typed = m_model->currentText();
        const QSignalBlocker quiet(m_model);
        m_model->clear();
        m_model->addItems(names);
        if (!typed.isEmpty()) m_model->setEditText(typed);
    }
    refresh();
}

void TryPanel::refresh() {
    const engine::TargetStatus& status = m_context.bridge->status();
    const bool up = status.state == engine::GatewayState::running;
    const bool lacksToken = status.remote && status.tokenRequired;
    m_send->setEnabled(up && !lacksToken && !m_run && !m_model->currentText().trimmed().isEmpty());
    m_send->setToolTip(up ? tr("One real request through this gateway (Ctrl+Return); it is counted and recorded") : tr("Start the gateway first"));
    if (m_untried)
        m_state->set(Tone::idle, lacksToken ? tr("Trying a request there takes a token of its clients, which is known only where it runs.") : up ? tr("A real request through this gateway: counted, limited and recorded like any other.")
                                    : tr("Start the gateway to try a request."));
}

void TryPanel::begin(const QString& model) {
    if (!model.isEmpty()) m_model->setEditText(model);
    m_prompt->setFocus();
}

void TryPanel::clearAnswer() {
    m_answer->clear();
    m_decision->hide();
    m_receipt->hide();
    m_decisionId.clear();
}

// Another gateway is looked at: an answer of the last one under its name would be a lie.
void TryPanel::startOver() {
    if (m_run) m_context.say(tr("The request that was tried is broken off: you look at another gateway"));
    m_run.reset();
    m_untried = true;
    m_cancel->hide();
    clearAnswer();
    refresh();
}

void TryPanel::send() {
    engine::TryRequest request;
    request.model = format::utf8(m_model->currentText().trimmed());
    request.prompt = format::utf8(m_prompt->toPlainText().isEmpty() ? m_prompt->placeholderText() : m_prompt->toPlainText());
    request.pin = format::utf8(m_pin->text().trimmed());
    request.stream = m_streaming->isChecked();
    if (m_cap->value() > 0) request.maxTokens = static_cast<std::uint32_t>(m_cap->value());
    m_untried = false;
    clearAnswer();
    m_run = m_context.bridge->tryRequest(std::move(request));
    auto status = std::make_shared<int>(0);
    connect(m_run.get(), &TryRun::headCame, this, [this, status](const engine::TryHead& head) {
        *status = head.status;
        takeHead(head);
    });
    connect(m_run.get(), &TryRun::textCame, this, &TryPanel::takeText);
    connect(m_run.get(), &TryRun::ended, this, [this, status](const engine::TryEnd& end) {
        const TryWords words = tryOutcome(end, *status);
        m_state->set(words.tone, words.text);
        takeEnd(end);
    });
    m_state->set(Tone::info, tr("Sent; waiting for the first token…"));
    m_cancel->show();
    refresh();
}

void TryPanel::takeHead(const engine::TryHead& head) {
    const TryWords words = tryDecision(head);
    m_decision->set(words.tone, words.text);
    m_decision->setToolTip(plainTip(tr("x-request-id %1").arg(format::text(head.requestId))));
    m_decision->show();
    m_decisionId = format::text(head.decisionId);
    m_receipt->setVisible(!m_decisionId.isEmpty());
}

void TryPanel::takeText(const QString& text) {
    m_state->set(Tone::info, tr("The answer is coming…"));
    if (m_answer->document()->characterCount() > kMostShown) return;
    const bool atEnd = m_answer->verticalScrollBar()->value() == m_answer->verticalScrollBar()->maximum();
    QTextCursor cursor(m_answer->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text);
    if (atEnd) m_answer->verticalScrollBar()->setValue(m_answer->verticalScrollBar()->maximum());  // whoever scrolled up reads on there
}

void TryPanel::takeEnd(const engine::TryEnd& end) {
    m_context.say(m_state->text());
    if (m_answer->toPlainText().isEmpty() && !end.error) m_answer->setPlainText(tr("(an answer without text)"));
    const bool hadFocus = m_cancel->hasFocus();
    m_cancel->hide();
    m_run.release()->deleteLater();  // it is still telling us
    refresh();
    if (hadFocus) m_prompt->setFocus();
}

}  // namespace signalbox::ui
