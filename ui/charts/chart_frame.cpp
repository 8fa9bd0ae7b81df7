// SPDX-License-Identifier: MIT
#include "ui/charts/chart_frame.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace signalbox::ui {

ChartFrame::ChartFrame(const QString& question, QWidget* drawing, QAbstractItemModel* table, QWidget* parent)
    : QWidget(parent), m_question(question), m_drawing(drawing), m_focusTarget(drawing), m_section(new Section(question)),
      m_stack(new QStackedWidget), m_plotLayout(new QHBoxLayout), m_table(new TableView(tr("%1 As a table").arg(question))),
      m_message(new EmptyState(QStringLiteral("chart"), {}, {})) {
    m_table->setSortableModel(table);
    m_table->setObjectName(QStringLiteral("chartTable"));
    auto* plot = new QWidget;
    plot->setLayout(m_plotLayout);
    m_plotLayout->setContentsMargins(0, 0, 0, 0);
    m_plotLayout->setSpacing(0);
    m_plotLayout->addWidget(m_drawing, 1);
    m_stack->addWidget(plot);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_message);
    m_section->body()->addWidget(m_stack, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_section);
    makeActions();
    keepPlace(table);
    m_table->installEventFilter(this);
    connect(m_table, &TableView::rowOpened, this, [this](int row) { openRow(row); });
}

void ChartFrame::setLabels(QWidget* labels) {
    m_labels = labels;
    m_plotLayout->addWidget(labels);
}

void ChartFrame::makeActions() {
    m_tableAction = new QAction(tr("Show the chart as a table"), this);
    m_tableAction->setCheckable(true);
    connect(m_tableAction, &QAction::toggled, this, &ChartFrame::setTableShown);
    const auto add = [this](const QString& text, const QString& key, auto&& run) {
        auto* action = new QAction(text, this);
        action->setShortcut(QKeySequence(key));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, run);
        addAction(action);
        m_actions << action;
        m_saveActions << action;
    };
    m_actions << m_tableAction;
    add(tr("Save the chart as PNG…"), QStringLiteral("Ctrl+Shift+P"),
        [this] { exportTo(tr("Save the chart as PNG"), QStringLiteral("png"), [this](const QString& path) { return savePng(sheet(), path); }); });
    add(tr("Save the chart as SVG…"), QStringLiteral("Ctrl+Shift+V"),
        [this] { exportTo(tr("Save the chart as SVG"), QStringLiteral("svg"), [this](const QString& path) { return saveSvg(sheet(), path); }); });
    add(tr("Save the chart's numbers as CSV…"), QStringLiteral("Ctrl+Shift+D"),
        [this] { exportTo(tr("Save the chart's numbers as CSV"), QStringLiteral("csv"), [this](const QString& path) { return saveText(csv(), path); }); });

    auto* table = makeIconButton(tr("Show as a table (T)"), QStringLiteral("table"));
    table->setCheckable(true);
    connect(table, &QToolButton::toggled, m_tableAction, &QAction::setChecked);
    connect(m_tableAction, &QAction::toggled, table, &QToolButton::setChecked);
    m_save = makeIconButton(tr("Save the chart"), QStringLiteral("download"));
    auto* menu = new QMenu(m_save);
    menu->addActions(m_saveActions);
    m_save->setMenu(menu);
    m_save->setPopupMode(QToolButton::InstantPopup);
    m_section->addControl(table);
    m_section->addControl(m_save);
}

// The drawing behind a message is of what was asked about before.
void ChartFrame::setSavable(bool savable) {
    m_save->setEnabled(savable);
    for (QAction* action : std::as_const(m_saveActions)) action->setEnabled(savable);
}

// A live chart has other numbers every few seconds: whoever reads the table keeps the row.
void ChartFrame::keepPlace(const QAbstractItemModel* rows) {
    connect(rows, &QAbstractItemModel::modelAboutToBeReset, this, [this, rows] { m_place = placeIn(*rows); });
    connect(rows, &QAbstractItemModel::modelReset, this, [this, rows] { goTo(*rows, m_place); });
}

ChartFrame::Place ChartFrame::placeIn(const QAbstractItemModel& rows) const {
    const int row = m_table->currentSourceRow();
    if (row < 0) return {};
    return {row, rows.index(row, 0).data().toString(), rows.index(row, 1).data().toString(),
            m_table->selectionModel()->isSelected(m_table->currentIndex()), m_table->visualRect(m_table->currentIndex()).top()};
}

void ChartFrame::goTo(const QAbstractItemModel& rows, const Place& place) {
    const int count = rows.rowCount();
    if (place.row < 0 || count == 0) return;
    // The same cells, else the nearest of the same name, else the same place.
    std::optional<int> found;
    for (int row = 0; row < count; ++row) {
        if (rows.index(row, 0).data().toString() != place.name) continue;
        if (!found || std::abs(row - place.row) < std::abs(*found - place.row)) found = row;
        if (rows.index(row, 1).data().toString() != place.detail) continue;
        found = row;
        break;
    }
    m_table->selectSourceRow(found.value_or(std::min(place.row, count - 1)));
    if (!place.chosen) m_table->selectionModel()->clearSelection();
    QScrollBar* bar = m_table->verticalScrollBar();
    bar->setValue(bar->value() + m_table->visualRect(m_table->currentIndex()).top() - place.top);
}

void ChartFrame::setNote(const QString& note) {
    m_note = note;
    showNote();
}

void ChartFrame::showNote(const QString& state) {
    QString note = m_note;
    if (!state.isEmpty()) note = note.isEmpty() ? state : note + QStringLiteral(" · ") + state;
    m_section->setNote(note);
}

void ChartFrame::showDrawing() {
    setSavable(true);
    m_stack->setCurrentIndex(m_tableAction->isChecked() ? 1 : 0);
}

void ChartFrame::setLoading() { showNote(tr("reading…")); }

void ChartFrame::setMessage(const QString& title, const QString& explanation) {
    m_message->setTexts(title, explanation);
    m_stack->setCurrentWidget(m_message);
    setSavable(false);
    showNote();
}

void ChartFrame::setTableShown(bool shown) {
    m_tableAction->setChecked(shown);
    if (m_stack->currentWidget() == m_message) return;
    m_stack->setCurrentIndex(shown ? 1 : 0);
    (shown ? m_table : m_focusTarget)->setFocus();
}

ChartSheet ChartFrame::sheet() const { return {m_question, paperNote(), m_drawing, m_labels}; }

QString ChartFrame::csv() const { return toCsv(*m_table->model()); }

void ChartFrame::exportTo(const QString& caption, const QString& suffix, const std::function<Result<void>(const QString&)>& save) {
    auto* dialog = new QFileDialog(this, caption, QString(), QStringLiteral("*.") + suffix);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    connect(dialog, &QFileDialog::fileSelected, this, [this, save](const QString& path) {
        if (auto saved = save(path); !saved) Q_EMIT failed(saved.error());
        else Q_EMIT said(tr("Saved %1").arg(path));
    });
    dialog->open();
}

void ChartFrame::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_T && event->modifiers() == Qt::NoModifier) return setTableShown(!m_tableAction->isChecked());
    QWidget::keyPressEvent(event);
}

bool ChartFrame::eventFilter(QObject* watched, QEvent* event) {
    // The table would take the key for a search.
    if (watched == m_table && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_T) {
        setTableShown(false);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace signalbox::ui
