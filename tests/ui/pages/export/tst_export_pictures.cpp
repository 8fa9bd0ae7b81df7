// SPDX-License-Identifier: MIT
// Pictures of the export page while a key is made and unlocked, which takes seconds, and of how it ends.
#include "tests/visual/page_pictures.h"
#include "ui/bridge/lone_worker.h"
#include "ui/pages/export/export_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace signalbox;
using namespace signalbox::ui;

static const QString kBoots = QStringLiteral("four wet boots");

class ExportPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    ExportPicturesTest() : PagePictures(QStringLiteral("export")) {}

private:
    [[nodiscard]] QLineEdit* line(const char* name) const { return window().findChild<QLineEdit*>(QLatin1String(name)); }
    [[nodiscard]] QPushButton* button(const char* name) const { return window().findChild<QPushButton*>(QLatin1String(name)); }
    [[nodiscard]] QComboBox* keys() const { return window().findChild<QComboBox*>(QStringLiteral("exportKey")); }
    /// Of this scheme alone, so that the second one finds nothing there.
    [[nodiscard]] QString folder(const char* name) const {
        const QString path = m_folder.filePath(QString::fromLatin1(QTest::currentDataTag()) + QLatin1Char('/') + QString::fromLatin1(name));
        QDir().mkpath(path);
        return path;
    }
    /// Draws what has just begun, and takes no answer yet: whatever the machine, the derivation is still under way.
    static void layOut() { QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); }
    void fill(const QString& to) {
        line("exportFolder")->setText(to);
        line("exportPassword")->setText(kBoots);
        line("exportSigner")->setText(QStringLiteral("Mara Holt"));
        QVERIFY(button("exportButton")->isEnabled());
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void states() {
        begin();
        look();
        const int known = keys()->count();
        button("newKeyButton")->click();
        line("newKeyName")->setText(QStringLiteral("release-") + QString::fromLatin1(QTest::currentDataTag()));
        line("newKeyPassword")->setText(kBoots);
        line("newKeyAgain")->setText(kBoots);
        console().settle();
        save(QStringLiteral("new-key"));
        button("newKeyCreate")->click();
        layOut();
        save(QStringLiteral("creating"), Checks::clipped);
        QTRY_COMPARE_WITH_TIMEOUT(keys()->count(), known + 1, 20'000);

        fill(folder("out"));
        console().settle();
        save(QStringLiteral("ready"));
        button("exportButton")->click();
        layOut();
        save(QStringLiteral("signing"), Checks::clipped);
        window().resize(1100, 720);
        layOut();
        save(QStringLiteral("signing-narrow"), Checks::clipped);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder("out") + QStringLiteral("/routing-table.json.minisig")), 20'000);
        QTRY_VERIFY(!button("exportCancel")->isVisible());
        console().settle();
        save(QStringLiteral("exported-narrow"));
        window().resize(1440, 900);
        console().settle();
        save(QStringLiteral("exported"));

        // Another table stands in the folder.
        QFile other(folder("taken") + QStringLiteral("/routing-table.json"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("{}") == 2);
        other.close();
        fill(folder("taken"));
        button("exportButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!button("exportCancel")->isVisible(), 20'000);
        console().settle();
        QVERIFY(window().findChild<QCheckBox*>(QStringLiteral("exportReplace"))->isVisible());
        save(QStringLiteral("refused"));

        // What was called off is still being derived.
        std::promise<void> release;
        const auto slow = [released = release.get_future().share()] { return released.wait(), true; };
        auto* worker = window().findChild<ExportPage*>()->findChild<LoneWorker*>();
        worker->run(this, slow, [](bool) {});
        fill(folder("next"));
        button("exportButton")->click();
        console().settle();
        save(QStringLiteral("waits"), Checks::clipped);
        button("exportCancel")->click();
        console().settle();
        save(QStringLiteral("called-off"));
        release.set_value();
        QTRY_VERIFY_WITH_TIMEOUT(!worker->isBusy(), 20'000);
    }
};

QTEST_MAIN(ExportPicturesTest)
#include "tst_export_pictures.moc"
