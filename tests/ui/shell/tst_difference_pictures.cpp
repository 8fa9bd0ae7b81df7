// SPDX-License-Identifier: MIT
// Pictures of what an apply would change, beside the page from which it was asked, in a usual and in a small window.
#include "tests/visual/page_pictures.h"
#include "ui/shell/difference_view.h"
#include "ui/widgets/lamp.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class DifferencePicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    DifferencePicturesTest() : PagePictures(QStringLiteral("groups")) {}

private Q_SLOTS:
    void states() {
        begin();
        look();
        const auto open = console().document->workspace()->snapshot;
        auto config = std::make_shared<config::GatewayConfig>(*open->config);
        config->routing.activationPercent = 20;
        config->routing.mode = config::RoutingMode::active;
        config->providers.front().baseUrl = "https://elsewhere.example/a-key/v1";
        QVERIFY(console().target->apply({policy::makeSnapshot(open->table, open->tableSha256, config), {}}));
        QTRY_VERIFY(console().gateway->draftDiffers());
        auto* lamp = window().findChild<QWidget*>(QStringLiteral("lamp.draft"));
        QVERIFY(lamp != nullptr);
        QTest::mouseClick(lamp, Qt::LeftButton);
        QTRY_VERIFY(window().findChild<DifferenceView*>() != nullptr);
        console().settle();
        save(QStringLiteral("difference"));
        window().resize(1000, 650);
        console().settle();
        save(QStringLiteral("difference-small"), Checks::clipped);
        QVERIFY(console().target->apply({open, {}}));
        window().resize(1440, 900);
    }
};

QTEST_MAIN(DifferencePicturesTest)
#include "tst_difference_pictures.moc"
