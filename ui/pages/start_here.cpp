// SPDX-License-Identifier: MIT
#include "ui/pages/start_here.h"

#include "ui/bridge/bridge.h"
#include "ui/document/policy_document.h"
#include "ui/settings/settings.h"
#include "ui/widgets/receipt/receipt_view.h"

#include <algorithm>

namespace signalbox::ui {

StartHere::StartHere(Settings* settings, Bridge* bridge, PolicyDocument* document, QObject* parent)
    : QObject(parent), m_settings(settings), m_document(document), m_done(settings->startDone()) {
    // Who has taken all of them sees their ticks to the end of that session, and no card in the next one.
    m_shown = settings->startShown() && doneCount() < static_cast<int>(kSteps.size());
    settings->setStartShown(m_shown);
    connect(bridge, &Bridge::ownDecisionsArrived, this, [this] { take(Step::request); });
}

QString StartHere::nameOf(Step step) {
    switch (step) {
    case Step::serving: return QStringLiteral("serving");
    case Step::receipt: return QStringLiteral("receipt");
    case Step::change: return QStringLiteral("change");
    case Step::request: return QStringLiteral("request");
    }
    return {};
}

bool StartHere::isDone(Step step) const { return m_done.contains(nameOf(step)); }

int StartHere::doneCount() const {
    return static_cast<int>(std::count_if(kSteps.begin(), kSteps.end(), [this](Step step) { return isDone(step); }));
}

void StartHere::setShown(bool shown) {
    if (m_shown == shown) return;
    m_shown = shown;
    m_settings->setStartShown(shown);
    Q_EMIT changed();
}

void StartHere::take(Step step) {
    if (isDone(step)) return;
    m_done << nameOf(step);
    m_settings->setStartDone(m_done);
    Q_EMIT changed();
}

bool StartHere::hasChangedRule() const {
    const auto now = m_document->table(), saved = m_document->savedTable();
    return now && saved && now->rules != saved->rules;
}

void StartHere::seePage(const QString& pageId) {
    if (pageId == QLatin1String("endpoints")) take(Step::serving);
    if (pageId == QLatin1String("simulator") && hasChangedRule()) take(Step::change);
}

void StartHere::seeInspected(const QWidget* content) {
    if (qobject_cast<const ReceiptView*>(content) != nullptr) take(Step::receipt);
}

}  // namespace signalbox::ui
