// SPDX-License-Identifier: MIT
#include "ui/widgets/mode_dial/mode_dial.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/mode_dial/mode_words.h"
#include "ui/widgets/tone_label.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>

namespace signalbox::ui {

using config::RoutingMode;

static constexpr int kEverybody = 100, kPage = 10;

ModeDial::ModeDial(Bridge* bridge, PolicyDocument* document, GatewayControl* gateway, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_document(document), m_gateway(gateway), m_modes(new QButtonGroup(this)),
      m_slider(new QSlider(Qt::Horizontal)), m_percent(new QSpinBox), m_note(makeMuted({})), m_override(new ToneLabel),
      m_running(new ToneLabel) {
    setObjectName(QStringLiteral("modeDial"));
    setAccessibleName(tr("Mode of smart routing"));
    makeLayout();
    connect(m_modes, &QButtonGroup::idClicked, this, [this](int id) {
        set(tr("routing mode"), "mode", std::string(config::toString(static_cast<RoutingMode>(id))));
    });
    const auto setPercent = [this](int percent) { set(tr("share of smart routing"), "activation_percent", std::int64_t{percent}); };
    connect(m_slider, &QSlider::valueChanged, this, setPercent);
    connect(m_percent, &QSpinBox::valueChanged, this, setPercent);
    connect(m_document, &PolicyDocument::changed, this, &ModeDial::refresh);
    connect(m_document, &PolicyDocument::busyChanged, this, &ModeDial::refresh);
    connect(m_bridge, &Bridge::statusChanged, this, &ModeDial::refreshRunning);
    refresh();
    refreshRunning();
}

void ModeDial::makeLayout() {
    auto* dial = new QHBoxLayout;
    dial->setSpacing(Theme::kGap);
    auto* draft = makeMuted(tr("Draft"));
    draft->setWordWrap(false);
    dial->addWidget(draft);
    auto* modes = new QHBoxLayout;
    modes->setSpacing(2);
    const std::pair<RoutingMode, QString> words[] = {{RoutingMode::off, tr("Off")}, {RoutingMode::shadow, tr("Shadow")}, {RoutingMode::active, tr("Active")}};
    const QString tips[] = {tr("Smart aliases take their first candidate"), tr("Every candidate is scored and recorded; the first one serves"),
                            tr("The scored order serves a share of the requests")};
    for (const auto& [mode, word] : words) {
        auto* button = makeButton(word);
        button->setObjectName(QStringLiteral("mode.") + QString::fromUtf8(config::toString(mode).data()));
        button->setCheckable(true);
        button->setToolTip(plainTip(tips[static_cast<std::size_t>(mode)]));
        m_modes->addButton(button, static_cast<int>(mode));
        modes->addWidget(button);
    }
    dial->addLayout(modes);
    m_slider->setObjectName(QStringLiteral("mode.slider"));
    m_percent->setObjectName(QStringLiteral("mode.percent"));
    m_slider->setRange(0, kEverybody);
    m_slider->setPageStep(kPage);
    m_slider->setFixedWidth(140);
    m_percent->setRange(0, kEverybody);
    m_percent->setSuffix(tr(" %"));
    m_percent->setButtonSymbols(QAbstractSpinBox::NoButtons);  // the slider is beside it
    m_percent->setKeyboardTracking(false);
    const QString tip = tr("Share of the sessions that the scored order serves. 0 %: nobody; raising keeps everyone who was in.");
    for (QWidget* widget : {static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_percent)}) {
        widget->setAccessibleName(tr("Share served by the scored order, in percent"));
        widget->setToolTip(plainTip(tip));
    }
    dial->addWidget(m_slider);
    dial->addWidget(m_percent);
    dial->addStretch(1);
    auto* acts = new QHBoxLayout;
    acts->setSpacing(Theme::kGap);
    acts->addWidget(new ActionButton(m_gateway->applyAction(), QStringLiteral("apply"), ButtonRole::primary));
    auto* kill = new ActionButton(m_gateway->killAction(), QStringLiteral("stop"), ButtonRole::danger);
    kill->setObjectName(QStringLiteral("mode.kill"));
    acts->addWidget(kill);
    acts->addStretch(1);
    m_line = new QBoxLayout(QBoxLayout::LeftToRight);
    m_line->setSpacing(Theme::kGap);
    m_line->addLayout(dial, 1);
    m_line->addLayout(acts);
    m_running->setObjectName(QStringLiteral("mode.running"));
    m_running->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    auto* says = new QHBoxLayout;
    says->setSpacing(Theme::kMargin);
    says->addWidget(m_running);
    says->addWidget(m_note, 1);

    m_note->setObjectName(QStringLiteral("mode.note"));
    m_override->setObjectName(QStringLiteral("mode.override"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_line);
    layout->addLayout(says);
    layout->addWidget(m_override);
}

// What there is to do changes with the draft, and with it the room that one line takes.
void ModeDial::fitLine() {
    int wanted = 0;
    for (int i = 0; i < m_line->count(); ++i) wanted += m_line->itemAt(i)->sizeHint().width() + (i > 0 ? m_line->spacing() : 0);
    m_line->setDirection(width() < wanted ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

QSize ModeDial::minimumSizeHint() const {
    int widest = 0;
    for (int i = 0; i < m_line->count(); ++i) widest = std::max(widest, m_line->itemAt(i)->minimumSize().width());
    return {widest, QWidget::minimumSizeHint().height()};
}

bool ModeDial::event(QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) fitLine();
    return QWidget::event(event);
}

static QString noteOf(const config::Routing& routing) {
    switch (routing.mode) {
    case RoutingMode::off: return ModeDial::tr("Off: the first candidate serves. The share counts once the mode is active.");
    case RoutingMode::shadow: return ModeDial::tr("Shadow: nobody is served by the scored order; what it would have chosen is recorded.");
    case RoutingMode::active: break;
    }
    if (routing.activationPercent == 0) return ModeDial::tr("0 %: nobody; raising keeps everyone who was in.");
    if (routing.activationPercent == kEverybody) return ModeDial::tr("100 %: everybody.");
    return ModeDial::tr("%1 % of the sessions, always the same ones; raising keeps everyone who was in.").arg(routing.activationPercent);
}

void ModeDial::refresh() {
    const auto workspace = m_document->workspace();
    const QString why = whyNoDial(workspace.get());
    const bool turns = why.isEmpty() && !m_document->isBusy();
    for (QAbstractButton* button : m_modes->buttons()) button->setEnabled(turns);
    m_slider->setEnabled(turns);
    m_percent->setEnabled(turns);
    m_note->setText(why);
    const QString overridden = workspace ? overrideWords(*workspace) : QString();
    m_override->setVisible(!overridden.isEmpty());
    m_override->set(Tone::caution, overridden);
    if (!workspace || !workspace->writtenConfig) return;
    const config::Routing& routing = workspace->writtenConfig->routing;
    const QSignalBlocker quietSlider(m_slider), quietPercent(m_percent);
    m_modes->button(static_cast<int>(routing.mode))->setChecked(true);
    m_slider->setValue(routing.activationPercent);
    m_percent->setValue(routing.activationPercent);
    if (why.isEmpty()) m_note->setText(noteOf(routing));
}

void ModeDial::refreshRunning() {
    const StatusWords words = runningModeWords(m_bridge->status());
    m_running->set(words.tone, m_bridge->status().state == engine::GatewayState::running ? tr("running: %1").arg(words.word) : words.word);
    m_running->setToolTip(plainTip(words.explanation));
}

void ModeDial::set(const QString& label, const std::string& key, const config::Scalar& value) {
    const auto done = m_document->editConfig(
        label, [key, value](std::string_view text) { return config::setValue(text, {std::string("routing"), key}, value); },
        QStringLiteral("routing.") + QString::fromStdString(key));
    if (done) return;
    refresh();  // back to where the draft is
    Q_EMIT refused(done.error());
}

}  // namespace signalbox::ui
