// SPDX-License-Identifier: MIT
#include "ui/pages/groups/alias_chips.h"

#include "ui/theme/plain_tip.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/wrap_layout.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kMostChipWidth = 240, kJudgeAfterMs = 150;

AliasChips::AliasChips(Judge judge, Apply apply, QWidget* parent)
    : QWidget(parent), m_judge(std::move(judge)), m_apply(std::move(apply)), m_flow(new WrapLayout), m_field(new QLineEdit),
      m_counter(makeMuted({})), m_message(new FieldMessage(m_field)) {
    m_field->setObjectName(QStringLiteral("alias"));
    m_field->setPlaceholderText(tr("Add an alias"));
    m_field->setAccessibleName(tr("Alias to add"));
    m_field->setFixedWidth(180);
    m_field->installEventFilter(this);
    m_counter->setFont(Theme::instance().smallFont());
    m_counter->setWordWrap(false);
    m_settle.setSingleShot(true);
    m_settle.setInterval(kJudgeAfterMs);
    connect(&m_settle, &QTimer::timeout, this, &AliasChips::judgeField);
    connect(m_field, &QLineEdit::textEdited, this, [this] {
        count();
        m_settle.start();
    });
    connect(m_field, &QLineEdit::returnPressed, this, &AliasChips::accept);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_flow);
    layout->addWidget(m_message);
    m_flow->addWidget(m_field);
    m_flow->addWidget(m_counter);
}

void AliasChips::set(const Aliases& aliases, const QStringList& remarks, const QString& source, bool canEdit) {
    const bool same = aliases == m_aliases && remarks == m_remarks && canEdit == m_canEdit && source == m_source;
    m_aliases = aliases;
    m_remarks = remarks;
    m_source = source;
    m_canEdit = canEdit;
    m_field->setVisible(canEdit);
    if (!same) {
        if (m_edited >= 0) followEdited();
        rebuild();
    }
    count();
}

// The alias that was begun may stand elsewhere by now, or not at all.
void AliasChips::followEdited() {
    const auto at = std::find(m_aliases.begin(), m_aliases.end(), m_begun);
    if (at == m_aliases.end()) endEdit();
    else m_edited = static_cast<int>(at - m_aliases.begin());
}

void AliasChips::rebuild() {
    for (QWidget* chip : std::as_const(m_chips)) {
        m_flow->removeWidget(chip);
        chip->hide();
        chip->deleteLater();
    }
    m_chips.clear();
    m_flow->removeWidget(m_field);
    m_flow->removeWidget(m_counter);
    for (int i = 0; i < static_cast<int>(m_aliases.size()); ++i) {
        const QString alias = format::text(m_aliases[static_cast<std::size_t>(i)]);
        const QString remark = m_remarks.value(i);
        auto* chip = new QWidget;
        auto* name = makeButton({}, remark.isEmpty() ? QString() : QStringLiteral("caution"));
        name->setText(QFontMetrics(Theme::instance().fixedFont()).elidedText(alias, Qt::ElideMiddle, kMostChipWidth).replace(QLatin1Char('&'), QStringLiteral("&&")));
        name->setFont(Theme::instance().fixedFont());
        name->setProperty("data", true);
        name->setProperty("chip", i);
        name->setAccessibleName(tr("Alias %1").arg(alias));
        name->setAccessibleDescription(remark);
        QString tip = alias + QLatin1Char('\n') + tr("From: %1").arg(m_source);
        if (!remark.isEmpty()) tip += QLatin1Char('\n') + remark;
        name->setToolTip(plainTip(tip));
        name->installEventFilter(this);
        auto* row = new QHBoxLayout(chip);
        row->setContentsMargins(0, 0, 4, 0);
        row->setSpacing(0);
        row->addWidget(name);
        if (m_canEdit) {
            connect(name, &QPushButton::clicked, this, [this, i] { beginEdit(i); });
            auto* close = makeIconButton(tr("Remove alias %1").arg(alias), QStringLiteral("close"));
            connect(close, &QToolButton::clicked, this, [this, i] { remove(i); });
            row->addWidget(close);
        }
        m_chips << chip;
        m_flow->addWidget(chip);
    }
    m_flow->addWidget(m_field);
    m_flow->addWidget(m_counter);
    for (QWidget* chip : std::as_const(m_chips)) chip->show();
    QWidget* before = nullptr;
    for (QWidget* chip : std::as_const(m_chips))
        for (QAbstractButton* button : chip->findChildren<QAbstractButton*>()) {
            if (before != nullptr) setTabOrder(before, button);
            before = button;
        }
    if (before != nullptr) setTabOrder(before, m_field);
    updateGeometry();
}

void AliasChips::count() {
    const auto bytes = static_cast<std::size_t>(m_field->text().toUtf8().size());
    m_counter->setText(bytes > 0 ? tr("%1 of %2 bytes").arg(bytes).arg(kMostBytes) : tr("%1 of %2 aliases").arg(m_aliases.size()).arg(kMostAliases));
}

AliasChips::Aliases AliasChips::withField() const {
    Aliases all = m_aliases;
    const std::string typed = format::utf8(m_field->text());
    if (m_edited >= 0 && m_edited < static_cast<int>(all.size())) all[static_cast<std::size_t>(m_edited)] = typed;
    else all.push_back(typed);
    return all;
}

void AliasChips::judgeField() {
    if (m_field->text().isEmpty()) return m_message->clear();
    if (const auto verdict = m_judge(withField()); !verdict) m_message->show(verdict.error());
    else m_message->clear();
}

void AliasChips::beginEdit(int index) {
    m_edited = index;
    m_begun = m_aliases[static_cast<std::size_t>(index)];
    m_field->setText(format::text(m_begun));
    m_field->setAccessibleName(tr("New name of alias %1").arg(m_field->text()));
    m_field->setFocus(Qt::OtherFocusReason);
    m_field->selectAll();
    m_message->clear();
    count();
}

void AliasChips::endEdit() {
    m_settle.stop();
    m_edited = -1;
    m_field->clear();
    m_field->setAccessibleName(tr("Alias to add"));
    m_message->clear();
    count();
}

void AliasChips::accept() {
    m_settle.stop();
    if (m_field->text().isEmpty() && m_edited < 0) return;
    if (const auto done = m_apply(withField()); !done) m_message->show(done.error());
    else endEdit();
}

void AliasChips::remove(int index) {
    Aliases rest = m_aliases;
    rest.erase(rest.begin() + index);
    if (const auto done = m_apply(rest); !done) m_message->show(done.error());
    else endEdit();
}

bool AliasChips::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || !m_canEdit) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == m_field) {
        if (key != Qt::Key_Escape || (m_field->text().isEmpty() && m_edited < 0)) return QWidget::eventFilter(watched, event);
        endEdit();
        return true;
    }
    const int chip = watched->property("chip").toInt();
    if (key == Qt::Key_F2 || key == Qt::Key_Return || key == Qt::Key_Enter) beginEdit(chip);
    else if (key == Qt::Key_Delete || key == Qt::Key_Backspace) remove(chip);
    else return QWidget::eventFilter(watched, event);
    return true;
}

}  // namespace signalbox::ui
