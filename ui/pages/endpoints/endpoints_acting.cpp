// SPDX-License-Identifier: MIT
// What an operator does to an endpoint: the question before it, and the offer to take it back behind it.
#include "ui/pages/endpoints/action_words.h"
#include "ui/pages/endpoints/endpoints_model.h"
#include "ui/pages/endpoints/endpoints_page.h"
#include "ui/theme/format.h"
#include "ui/widgets/error_banner.h"

#include <QApplication>
#include <QPushButton>

namespace signalbox::ui {

using engine::EndpointAction;

using namespace std::chrono_literals;

// Long enough to see by its figures whether an act was right; later it is done in the inspector.
static constexpr std::chrono::milliseconds kOfferStands = 2min;

static bool isStillSo(EndpointAction done, const engine::EndpointHealth& health) {
    switch (done) {
    case EndpointAction::drain: return health.drained;
    case EndpointAction::undrain: return !health.drained;
    case EndpointAction::trip: return health.circuit == "open";
    case EndpointAction::reset: return health.circuit == "closed";
    }
    return false;
}

// What an act left behind, with the button that takes it back, stays until it is so no longer. The state that is at hand
// may be from before the act.
void EndpointsPage::judgeOffer() {
    if (!m_offer) return;
    const EndpointRow* row = m_model->find(format::text(m_offer->endpointId));
    const bool isSo = row != nullptr && isStillSo(m_offer->done, row->health);
    if (m_offer->wasSeen && !isSo) return m_banner->dismiss();
    m_offer->wasSeen = m_offer->wasSeen || isSo;
}

void EndpointsPage::endOffer() {
    if (!m_offer) return;
    // Not from under the pointer or the keyboard.
    if (m_banner->underMouse() || m_banner->isAncestorOf(QApplication::focusWidget())) m_offerEnds.start(kOfferStands);
    else m_banner->dismiss();
}

void EndpointsPage::want(EndpointAction action) {
    const EndpointRow* row = m_model->find(m_endpoint);
    if (row == nullptr) return;
    const engine::TargetStatus& status = m_context.bridge->status();
    const ActionWords words = actionWords(action, row->health, status.remote ? format::text(status.name) : QString());
    const std::string id = row->health.endpointId;
    if (words.question.isEmpty()) return act(id, action);
    m_offer.reset();
    m_banner->notice(Tone::caution, words.question, {}, words.verb, [this, id, action] { act(id, action); });
    // Whoever asked by keyboard answers by keyboard; Escape takes it back.
    for (QPushButton* button : m_banner->findChildren<QPushButton*>())
        if (button->text() == words.verb) button->setFocus(Qt::ShortcutFocusReason);
}

void EndpointsPage::act(const std::string& endpointId, EndpointAction action) {
    const engine::TargetStatus& status = m_context.bridge->status();
    const QString name = format::text(status.name), elsewhere = status.remote ? name : QString();
    m_context.bridge->fleet().act(endpointId, action, [this, look = m_look, name, elsewhere, page = QPointer(this), endpointId, action](const Result<void>& result) {
        if (!page) return;  // the bridge outlives it
        // A button under an answer of the last gateway would act on the one that is looked at now.
        const bool isHere = look == m_look;
        if (isHere) {
            m_offer.reset();
            m_tellsGone = false;
        }
        if (!result) return isHere ? m_banner->show(result.error(), [this, endpointId, action] { act(endpointId, action); }) : m_context.complain(result.error());
        engine::EndpointHealth health;
        health.endpointId = endpointId;
        const ActionWords words = actionWords(action, health, isHere ? elsewhere : name);
        if (isHere) {
            m_banner->notice(Tone::info, words.done, {}, words.undoVerb, [this, endpointId, undo = words.undo] { act(endpointId, undo); });
            m_offer = Offer{endpointId, action};
            judgeOffer();  // the state may have come before the answer
            m_offerEnds.start(kOfferStands);
        }
        m_context.say(words.done);
    });
}

}  // namespace signalbox::ui
