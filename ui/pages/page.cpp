// SPDX-License-Identifier: MIT
#include "ui/pages/page.h"

namespace signalbox::ui {

void ViewState::setLive(std::chrono::seconds span) {
    if (m_live && span == m_span) return;
    m_live = true;
    m_span = span;
    m_range.from = m_range.to - span;
    Q_EMIT rangeChanged();
}

void ViewState::setRange(const evidence::TimeRange& range) {
    if (!m_live && range == m_range) return;
    m_live = false;
    m_range = range;
    m_span = std::chrono::duration_cast<std::chrono::seconds>(range.to - range.from);
    Q_EMIT rangeChanged();
}

static const QString kSpan = QStringLiteral("span"), kFrom = QStringLiteral("from"), kTo = QStringLiteral("to");

static qlonglong micros(Timestamp at) { return at.time_since_epoch().count(); }
static Timestamp timestamp(const QVariant& micros) { return Timestamp(std::chrono::microseconds(micros.toLongLong())); }

QVariantMap ViewState::state() const {
    if (m_live) return {{kSpan, static_cast<qlonglong>(m_span.count())}};
    return {{kFrom, micros(m_range.from)}, {kTo, micros(m_range.to)}};
}

void ViewState::restore(const QVariantMap& state) {
    if (state.contains(kSpan)) setLive(std::chrono::seconds(state.value(kSpan).toLongLong()));
    else if (state.contains(kFrom)) setRange({timestamp(state.value(kFrom)), timestamp(state.value(kTo))});
}

void ViewState::follow(Timestamp now) {
    if (!m_live || now == m_range.to) return;
    m_range = {now - m_span, now};
    Q_EMIT rangeChanged();
}

}  // namespace signalbox::ui
