// SPDX-License-Identifier: MIT
// Pictures of a console in which another workspace than its own is open: the way to that one's own console, and whose records
// the pages show.
#include "tests/visual/page_pictures.h"
#include "ui/widgets/error_banner.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class GuestPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    GuestPicturesTest() : PagePictures(QStringLiteral("guest")) {}

private:
    static QString demo() { return QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo"); }
    void prepare() override {
        const QString prod = m_folder.filePath(QStringLiteral("prod"));
        QVERIFY(QDir().mkpath(prod));
        for (const char* name : {"/gateway.toml", "/routing-table.json"}) QVERIFY(QFile::copy(demo() + QLatin1String(name), prod + QLatin1String(name)));
        console().gateway->setHome(demo().toStdString(), [](const QString&) { return Result<void>(); });
    }
    void open(const QString& workspace, bool isGuest) {
        window().openPath(workspace);
        QTRY_COMPARE(console().gateway->home().guest().isEmpty(), !isGuest);
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void states() {
        begin();
        open(demo(), false);
        open(m_folder.filePath(QStringLiteral("prod")), true);
        for (const QString& page : {QStringLiteral("overview"), QStringLiteral("history"), QStringLiteral("shadow"), QStringLiteral("rules"), QStringLiteral("presets"), QStringLiteral("groups"), QStringLiteral("simulator")}) {
            window().go(page);
            console().settle();
            save(page, Checks::clipped);
        }
        window().findChild<ErrorBanner*>()->dismiss();
    }
};

QTEST_MAIN(GuestPicturesTest)
#include "tst_guest_pictures.moc"
