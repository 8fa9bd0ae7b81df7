// SPDX-License-Identifier: MIT
// Pictures of the console while it looks at a gateway elsewhere: each page that follows it, while it answers and while it
// cannot be reached, and the dialog that adds one.
#include "tests/ui/pages/endpoints/endpoint_samples.h"
#include "tests/visual/page_pictures.h"
#include "ui/dialogs/target_dialog.h"
#include "ui/shell/target_button.h"
#include "ui/widgets/error_banner.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class TargetPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    TargetPicturesTest() : PagePictures(QStringLiteral("overview")) {}

private:
    /// What stands below the fold of the Simulator's left column.
    void scrollToHealth() {
        auto* health = window().findChild<QComboBox*>(QStringLiteral("health"));
        QVERIFY(health != nullptr);
        for (QWidget* above = health->parentWidget(); above != nullptr; above = above->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(above)) scroll->ensureWidgetVisible(health);
        console().settle();
    }
    void page(const char* id) {
        window().go(QString::fromLatin1(id));
        console().settle();
    }
    /// The same table with another gateway.toml, or what is open.
    void runs(bool another) {
        const auto open = console().document->workspace()->snapshot;
        auto config = std::make_shared<config::GatewayConfig>(*open->config);
        config->providers.front().baseUrl = "https://elsewhere.example/v1";
        QVERIFY(console().elsewhere->apply({another ? policy::makeSnapshot(open->table, open->tableSha256, config) : open, {}}));
        console().settle();
    }
    void reachable(bool is) {
        auto status = console().elsewhere->status();
        status.state = is ? engine::GatewayState::running : engine::GatewayState::failed;
        status.unreachableSince = is ? Timestamp{} : status.heardAt + std::chrono::seconds(2);
        status.lastError = is ? "" : "https://gw.example:38082: nothing listens there. Look whether it runs, and at its address.";
        console().elsewhere->setStatus(status);
        console().settle();
    }

private Q_SLOTS:
    void states() {
        begin();
        test::tellStory(*console().elsewhere);
        console().targets->remove(QStringLiteral("prod-a"));
        console().lookElsewhere(QStringLiteral("prod-a"));
        for (std::size_t i = console().records->size() - 12; i < console().records->size(); ++i) console().elsewhere->decide((*console().records)[i]);
        look();
        save(QStringLiteral("elsewhere"));
        page("endpoints");
        save(QStringLiteral("elsewhere-endpoints"), Checks::clipped);
        page("gateway");
        save(QStringLiteral("elsewhere-gateway"));
        page("groups");
        save(QStringLiteral("elsewhere-groups"), Checks::clipped);
        page("simulator");
        scrollToHealth();
        save(QStringLiteral("elsewhere-simulator"), Checks::clipped);
        page("gateway");
        console().gateway->killAction()->trigger();
        console().settle();
        save(QStringLiteral("elsewhere-asked"));
        window().findChild<ErrorBanner*>()->dismiss();
        runs(true);
        page("groups");
        save(QStringLiteral("elsewhere-groups-another"));
        page("simulator");
        save(QStringLiteral("elsewhere-simulator-another"), Checks::clipped);
        window().resize(1100, 720);
        console().settle();
        save(QStringLiteral("elsewhere-simulator-another-narrow"), Checks::clipped);
        page("groups");
        save(QStringLiteral("elsewhere-groups-another-narrow"), Checks::clipped);
        window().resize(1440, 900);
        runs(false);
        reachable(false);
        page("gateway");
        save(QStringLiteral("elsewhere-gateway-away"));
        page("groups");
        save(QStringLiteral("elsewhere-groups-away"), Checks::clipped);
        page("simulator");
        scrollToHealth();
        save(QStringLiteral("elsewhere-simulator-away"), Checks::clipped);
        page("endpoints");
        save(QStringLiteral("elsewhere-endpoints-away"));
        look();
        save(QStringLiteral("elsewhere-away"));
        reachable(true);

        auto* button = window().findChild<TargetButton*>();
        button->addAction()->trigger();
        auto* dialog = window().findChild<TargetDialog*>();
        QVERIFY(dialog != nullptr);
        console().settle();
        save(QStringLiteral("add-target"), Checks::all, dialog);
        dialog->findChild<QLineEdit*>(QStringLiteral("target.name"))->setText(QStringLiteral("prod-b"));
        dialog->findChild<QLineEdit*>(QStringLiteral("target.url"))->setText(QStringLiteral("gw.example:38082"));
        dialog->findChild<QComboBox*>(QStringLiteral("target.source"))->setCurrentIndex(0);
        dialog->findChild<QLineEdit*>(QStringLiteral("target.token"))->setText(QStringLiteral("bad"));
        dialog->findChild<QPushButton*>(QStringLiteral("target.test"))->click();
        console().settle();
        save(QStringLiteral("add-target-refused"), Checks::all, dialog);
        dialog->reject();
    }
};

QTEST_MAIN(TargetPicturesTest)
#include "tst_target_pictures.moc"
