// SPDX-License-Identifier: MIT
// Pictures of the shadow page with a week of made-up decisions: as a whole, read by hover, scrolled to its tables,
// restricted to one group, the way to the decisions, the receipt of one, and without any decision.
#include "tests/ui/pages/shadow/shadow_records.h"
#include "tests/visual/page_pictures.h"
#include "ui/charts/chart_hover.h"
#include "ui/charts/heat_map/heat_chart.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_view.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class ShadowPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    ShadowPicturesTest() : PagePictures(QStringLiteral("shadow")) {}

protected:
    void prepare() override {
        m_week = test::ShadowWeek().records(22'000, format::now() - 24h, format::now() - 1s);
    }

private Q_SLOTS:
    void states() {
        begin();
        console().target->setHistory(m_week);
        askAnew();
        QWidget* page = window().findChild<QWidget*>(QStringLiteral("shadow"));
        QVERIFY(page != nullptr);
        save(QStringLiteral("whole"), Checks::clipped);

        auto* hover = page->findChild<ChartHover*>();
        QTest::mouseMove(hover, QPoint(hover->width() / 2, hover->height() / 2));
        console().settle();
        save(QStringLiteral("hover"), Checks::none);

        auto* area = page->findChild<QScrollArea*>();
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        console().settle();
        const auto tables = page->findChildren<TableView*>();
        tables.last()->selectSourceRow(0);
        console().settle();
        save(QStringLiteral("tables"), Checks::none);
        area->verticalScrollBar()->setValue(0);

        window().go(QStringLiteral("shadow"), {{QStringLiteral("group"), QStringLiteral("auto")}});
        console().settle();
        save(QStringLiteral("group"), Checks::none);

        Q_EMIT page->findChild<HeatChart*>()->cellChosen(0, 1);
        console().settle();
        auto* rows = window().findChild<TableView*>(QStringLiteral("historyTable"));
        QVERIFY(rows->model()->rowCount() > 0);
        rows->selectSourceRow(0);
        console().settle();
        save(QStringLiteral("decisions"), Checks::none);
        Q_EMIT rows->rowOpened(0);
        auto* receipt = window().findChild<QWidget*>(QStringLiteral("receiptDialog"));
        QVERIFY(receipt != nullptr && receipt->isVisible());
        console().settle();
        save(QStringLiteral("receipt"), Checks::none, receipt);
        receipt->close();

        console().target->setHistory(std::make_shared<std::vector<evidence::DecisionRecord>>());
        askAnew();
        save(QStringLiteral("empty"), Checks::none);
    }

private:
    // Without arguments a page stays as it was: another choice and back makes it ask again, of everything.
    void askAnew() {
        for (const char* profile : {"economy", ""}) {
            window().go(QStringLiteral("shadow"), {{QStringLiteral("profile"), QLatin1String(profile)}});
            console().settle();
        }
    }

    std::shared_ptr<std::vector<evidence::DecisionRecord>> m_week;
};

QTEST_MAIN(ShadowPicturesTest)
#include "tst_shadow_pictures.moc"
