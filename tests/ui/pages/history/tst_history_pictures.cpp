// SPDX-License-Identifier: MIT
// Pictures of the history page in the states that the walk over all pages does not reach: read by hover, filtered with a
// receipt beside it, as a table, the receipt alone, while the database lags, and without one.
#include "tests/visual/page_pictures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_view.h"

#include <QMenu>
#include <QPushButton>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class HistoryPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    HistoryPicturesTest() : PagePictures(QStringLiteral("history")) {}

private Q_SLOTS:
    void states() {
        begin();
        console().target->setHistoryFailure(std::nullopt);
        window().go(QStringLiteral("history"), {{QStringLiteral("back"), true}});
        console().settle();

        auto* hover = window().findChild<QWidget*>(QStringLiteral("chartHover"));
        QVERIFY(hover != nullptr);
        QTest::mouseMove(hover, QPoint(hover->width() / 2, hover->height() - 60));
        console().settle();
        save(QStringLiteral("hover"), Checks::none);

        // The demo's quiet hours depend on when the test runs: take the first point that has decisions behind it.
        auto* table = window().findChild<TableView*>(QStringLiteral("historyTable"));
        for (int x = hover->width() / 2; x < hover->width(); x += hover->width() / 16) {
            QTest::mouseClick(hover, Qt::LeftButton, {}, QPoint(x, hover->height() - 40));
            console().settle();
            if (table->model()->rowCount() > 1) break;
        }
        QVERIFY(table->model()->rowCount() > 1);
        table->selectSourceRow(1);
        console().settle();
        save(QStringLiteral("selected"), Checks::none);

        Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(1, 0)).center());
        auto* menu = window().findChild<QWidget*>(QStringLiteral("rowMenu"));
        QVERIFY(menu != nullptr && menu->isVisible());
        save(QStringLiteral("rowmenu"), Checks::none, menu);
        menu->close();
        auto* filters = window().findChild<QPushButton*>(QStringLiteral("addFilter"))->menu();
        Q_EMIT filters->aboutToShow();
        for (QAction* action : filters->actions())
            for (const auto& [name, picture] : {std::pair("Endpoint that was tried", "endpointmenu"), std::pair("Model asked for", "modelmenu"), std::pair("Team", "teammenu")}) {
                if (action->text() != QLatin1String(name)) continue;
                action->menu()->popup(QPoint(0, 0));
                save(QLatin1String(picture), Checks::none, action->menu());
                action->menu()->close();
            }

        Q_EMIT table->rowOpened(1);
        auto* receipt = window().findChild<QWidget*>(QStringLiteral("receiptDialog"));
        QVERIFY(receipt != nullptr && receipt->isVisible());
        console().settle();
        save(QStringLiteral("receipt"), Checks::none, receipt);
        receipt->close();

        hover->setFocus();
        QTest::keyClick(hover, Qt::Key_T);
        console().settle();
        save(QStringLiteral("table"), Checks::none);
        QTest::keyClick(window().findChild<QWidget*>(QStringLiteral("chartTable")), Qt::Key_T);

        const engine::TargetStatus quiet = console().target->status();
        engine::TargetStatus busy = quiet;
        busy.evidence.recorded += 3000;
        busy.evidence.backlogRecords = busy.evidence.unsettled = 3000;
        console().target->setStatus(busy);
        console().settle();
        window().go(QStringLiteral("overview"));
        window().go(QStringLiteral("history"), {{QStringLiteral("coverage"), QStringLiteral("default")}});
        console().settle();
        save(QStringLiteral("behind"), Checks::none);
        console().target->setStatus(quiet);

        console().target->setHistoryFailure(Error{ErrorKind::unavailable, "the server named by $DATABASE_URL does not answer", {}, "Start it, or unset the variable."});
        window().go(QStringLiteral("overview"));
        window().go(QStringLiteral("history"), {{QStringLiteral("coverage"), QStringLiteral("rule")}});
        console().settle();
        save(QStringLiteral("unavailable"), Checks::none);
    }
};

QTEST_MAIN(HistoryPicturesTest)
#include "tst_history_pictures.moc"
