// SPDX-License-Identifier: MIT
#include "ui/charts/time_chart.h"

#include "ui/charts/chart_hover.h"
#include "ui/charts/chart_labels.h"
#include "ui/charts/series_table_model.h"
#include "ui/charts/stack_view.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace signalbox::ui {

TimeChart::TimeChart(const QString& question, QWidget* parent)
    : QWidget(parent), m_question(question), m_section(new Section(question)), m_stack(new QStackedWidget), m_view(new StackView),
      m_hover(new ChartHover(m_view, question, m_view)), m_labels(new ChartLabels(m_view)), m_table(new TableView(tr("%1 As a table").arg(question))),
      m_tableModel(new SeriesTableModel(this)), m_message(new EmptyState(QStringLiteral("chart"), {}, {})) {
    m_hover->setObjectName(QStringLiteral("chartHover"));
    m_table->setModel(m_tableModel);
    m_table->setObjectName(QStringLiteral("chartTable"));
    auto* plot = new QWidget;
    auto* plotLayout = new QHBoxLayout(plot);
    plotLayout->setContentsMargins(0, 0, 0, 0);
    plotLayout->setSpacing(0);
    plotLayout->addWidget(m_view, 1);
    plotLayout->addWidget(m_labels);
    m_stack->addWidget(plot);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_message);
    m_section->body()->addWidget(m_stack, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_section);
    makeActions();
    m_view->installEventFilter(this);
    m_table->installEventFilter(this);

    connect(m_hover, &ChartHover::rangeChosen, this, &TimeChart::rangeChosen);
    connect(m_hover, &ChartHover::pointChosen, this,
            [this](std::size_t index, int line) { Q_EMIT pointChosen(m_view->series().rangeOf(index), line); });
    connect(m_labels, &ChartLabels::chosen, this, &TimeChart::lineChosen);
    connect(m_table, &TableView::rowOpened, this,
            [this](int row) { Q_EMIT pointChosen(m_view->series().rangeOf(m_tableModel->indexAt(row)), -1); });
}

void TimeChart::makeActions() {
    m_tableAction = new QAction(tr("Show the chart as a table"), this);
    m_tableAction->setCheckable(true);
    connect(m_tableAction, &QAction::toggled, this, &TimeChart::setTableShown);
    const auto add = [this](const QString& text, const QString& key, auto&& run) {
        auto* action = new QAction(text, this);
        action->setShortcut(QKeySequence(key));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, run);
        addAction(action);
        m_actions << action;
    };
    m_actions << m_tableAction;
    add(tr("Save the chart as PNG…"), QStringLiteral("Ctrl+Shift+P"),
        [this] { exportTo(tr("Save the chart as PNG"), QStringLiteral("png"), [this](const QString& path) { return savePng(sheet(), path); }); });
    add(tr("Save the chart as SVG…"), QStringLiteral("Ctrl+Shift+V"),
        [this] { exportTo(tr("Save the chart as SVG"), QStringLiteral("svg"), [this](const QString& path) { return saveSvg(sheet(), path); }); });
    add(tr("Save the chart's numbers as CSV…"), QStringLiteral("Ctrl+Shift+D"),
        [this] { exportTo(tr("Save the chart's numbers as CSV"), QStringLiteral("csv"), [this](const QString& path) { return saveCsv(series(), path); }); });

    auto* table = makeIconButton(tr("Show as a table (T)"), QStringLiteral("table"));
    table->setCheckable(true);
    connect(table, &QToolButton::toggled, m_tableAction, &QAction::setChecked);
    connect(m_tableAction, &QAction::toggled, table, &QToolButton::setChecked);
    auto* save = makeIconButton(tr("Save the chart"), QStringLiteral("download"));
    auto* menu = new QMenu(save);
    menu->addActions(m_actions.mid(1));
    save->setMenu(menu);
    save->setPopupMode(QToolButton::InstantPopup);
    m_section->addControl(table);
    m_section->addControl(save);
}

const TimeSeries& TimeChart::series() const { return m_view->series(); }

void TimeChart::showNote(const QString& state) {
    const TimeSeries& series = m_view->series();
    QString note = series.starts.empty() ? QString() : tr("%1 per %2, local time").arg(series.unit, bucketText(series.bucket));
    if (!state.isEmpty()) note = note.isEmpty() ? state : note + QStringLiteral(" · ") + state;
    m_section->setNote(note);
}

void TimeChart::setSeries(TimeSeries series) {
    m_view->setSeries(coarsened(largest(std::move(series), kMostLines, tr("%1 others")), kMostPoints));
    m_labels->refresh();
    m_hover->refresh();
    m_tableModel->set(m_view->series());
    showNote();
    m_stack->setCurrentIndex(m_tableAction->isChecked() ? 1 : 0);
}

void TimeChart::setLoading() { showNote(tr("reading…")); }

void TimeChart::setMessage(const QString& title, const QString& explanation) {
    m_message->setTexts(title, explanation);
    m_stack->setCurrentWidget(m_message);
    showNote();
}

void TimeChart::setEmphasis(const std::optional<QString>& entity) {
    m_view->setEmphasis(entity);
    m_labels->update();
}

void TimeChart::setMarked(const std::optional<evidence::TimeRange>& range) { m_hover->setMarked(range); }

void TimeChart::setTableShown(bool shown) {
    m_tableAction->setChecked(shown);
    if (m_stack->currentWidget() == m_message) return;
    m_stack->setCurrentIndex(shown ? 1 : 0);
    if (shown) m_table->setFocus();
    else m_hover->setFocus();
}

std::size_t TimeChart::usefulPoints() const {
    constexpr int kNarrowestBar = 5;
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, m_view->width()) / kNarrowestBar), 24, kMostPoints);
}

ChartSheet TimeChart::sheet() const {
    const TimeSeries& series = m_view->series();
    const QString note = series.starts.empty() ? QString()
                                               : tr("%1 per %2, local time, %3").arg(series.unit, bucketText(series.bucket), rangeText({series.from(), series.to()}));
    return {m_question, note, m_view, m_labels};
}

void TimeChart::exportTo(const QString& caption, const QString& suffix, const std::function<Result<void>(const QString&)>& save) {
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

void TimeChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_T && event->modifiers() == Qt::NoModifier) return setTableShown(!m_tableAction->isChecked());
    QWidget::keyPressEvent(event);
}

bool TimeChart::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::Resize) {
        m_hover->resize(m_view->size());
        m_labels->refresh();
    }
    // The table would take the key for a search.
    if (watched == m_table && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_T) {
        setTableShown(false);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace signalbox::ui
