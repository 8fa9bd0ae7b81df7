// SPDX-License-Identifier: MIT
#include "ui/shell/target_button.h"

#include "router/base/text.h"
#include "ui/bridge/bridge.h"
#include "ui/bridge/status_words.h"
#include "ui/bridge/targets.h"
#include "ui/dialogs/target_dialog.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/tone_glyph.h"
#include "ui/widgets/basics.h"

#include <QActionGroup>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPointer>

#include <utility>

namespace signalbox::ui {

static constexpr int kNameRoom = 120, kGlyph = 10;

TargetButton::TargetButton(const PageContext& context, Targets* targets, QWidget* parent)
    : QPushButton(parent), m_context(context), m_targets(targets), m_menu(new QMenu(this)), m_add(new QAction(tr("Add a &gateway…"), this)),
      m_forget(new QAction(this)) {
    setObjectName(QStringLiteral("targetButton"));
    setProperty("align", QStringLiteral("left"));
    setProperty("data", true);  // shows a gateway's name
    setRole(this, ButtonRole::quiet);
    setMenu(m_menu);
    m_menu->setTitle(tr("&Look at"));
    m_add->setObjectName(QStringLiteral("target.new"));
    m_add->setProperty("paletteIcon", QStringLiteral("plus"));
    m_add->setEnabled(m_targets != nullptr);
    m_forget->setObjectName(QStringLiteral("target.forget"));
    connect(m_add, &QAction::triggered, this, [this] {
        auto* dialog = new TargetDialog(m_targets, window());
        connect(dialog, &TargetDialog::added, this, &TargetButton::choose);
        dialog->open();
    });
    connect(m_forget, &QAction::triggered, this, [this] { askToForget(m_targets->current()); });
    connect(m_context.bridge, &Bridge::statusChanged, this, &TargetButton::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &TargetButton::refresh);
    if (m_targets != nullptr)
        connect(m_targets, &Targets::changed, this, [this] {
            fill();
            refresh();
        });
    fill();
    refresh();
}

// A menu takes an ampersand for the mark of a shortcut; names are their user's.
static QString menuText(QString name) { return name.replace(QLatin1Char('&'), QStringLiteral("&&")); }

QAction* TargetButton::addChoice(const QString& name, const QString& text, const QString& tip) {
    auto* action = new QAction(menuText(text), this);
    action->setObjectName(QStringLiteral("target.choose.") + name);
    action->setCheckable(true);
    action->setChecked((m_targets != nullptr ? m_targets->current() : QString()) == name);
    action->setToolTip(plainTip(tip));
    action->setProperty("paletteIcon", QStringLiteral("gateway"));
    connect(action, &QAction::triggered, this, [this, name] { choose(name); });
    m_menu->addAction(action);
    m_choices << action;
    return action;
}

void TargetButton::fill() {
    m_menu->clear();
    for (QAction* old : std::as_const(m_choices)) old->deleteLater();
    m_choices.clear();
    auto* group = new QActionGroup(m_menu);
    group->addAction(addChoice({}, tr("This console's own gateway"), tr("The gateway that runs inside this console")));
    if (m_targets != nullptr)
        for (const NamedTarget& target : m_targets->all()) {
            const QString url = format::text(shownUrl(format::utf8(target.url)));  // the settings may be written by hand
            group->addAction(addChoice(target.name, tr("%1  (%2)").arg(target.name, url), url));
        }
    m_menu->addSeparator();
    m_menu->addAction(m_add);
    const QString current = m_targets != nullptr ? m_targets->current() : QString();
    if (current.isEmpty()) return;
    m_forget->setText(tr("&Forget %1…").arg(menuText(current)));
    m_menu->addAction(m_forget);
}

void TargetButton::choose(const QString& name) {
    if (m_targets == nullptr) return;
    m_targets->choose(name, [guard = QPointer(this), this, name](const Result<void>& done) {
        if (!guard) return;
        fill();  // the tick stands where we look, not where we wanted to
        if (!done) return m_context.complain(done.error());
        m_context.say(name.isEmpty() ? tr("You look at this console's own gateway") : tr("You look at %1").arg(name));
    });
}

void TargetButton::askToForget(const QString& name) {
    auto* box = new QMessageBox(QMessageBox::Question, tr("Forget a gateway"), plainTip(tr("Forget %1 and its admin token?").arg(name)), QMessageBox::Cancel, window());
    box->setObjectName(QStringLiteral("forgetQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("The gateway itself goes on as it is."));
    const auto* forget = box->addButton(tr("Forget it"), QMessageBox::DestructiveRole);
    connect(box, &QMessageBox::buttonClicked, this, [this, forget, name](const QAbstractButton* clicked) {
        if (clicked == forget) m_targets->remove(name);
    });
    box->open();
}

void TargetButton::setFolded(bool folded) {
    if (std::exchange(m_folded, folded) != folded) refresh();
}

void TargetButton::refresh() {
    const engine::TargetStatus& status = m_context.bridge->status();
    const StatusWords words = gatewayWords(status);
    const QString name = format::text(status.name);
    setText(m_folded ? QString() : menuText(fontMetrics().elidedText(name, Qt::ElideMiddle, kNameRoom)));
    setAccessibleName(tr("Gateway looked at: %1, %2").arg(name, words.word));
    setToolTip(plainTip(words.sentence + QLatin1Char('\n') + words.explanation));
    const qreal ratio = devicePixelRatioF();
    QPixmap shape(QSizeF(16 * ratio, 16 * ratio).toSize());
    shape.setDevicePixelRatio(ratio);
    shape.fill(Qt::transparent);
    QPainter painter(&shape);
    painter.setRenderHint(QPainter::Antialiasing);
    paintToneGlyph(painter, QRectF((16 - kGlyph) / 2.0, (16 - kGlyph) / 2.0, kGlyph, kGlyph), words.tone, Theme::instance().color(words.tone));
    painter.end();
    setIcon(QIcon(shape));
}

}  // namespace signalbox::ui
