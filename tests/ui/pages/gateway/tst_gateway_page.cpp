// SPDX-License-Identifier: MIT
// What the gateway page says of refused requests, of a gateway that has told them and of one that has not.
#include "tests/support/page_harness.h"
#include "ui/pages/gateway/gateway_page.h"

#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class GatewayPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noneIsSaidOnceItIsKnown() {
        test::PageFixture<GatewayPage> fixture;
        fixture.page->show();
        QSignalSpy answers(fixture.page.get(), &Page::answerChanged);
        const auto says = [&](const char* words) { return !answers.isEmpty() && answers.last().first().toString().startsWith(QLatin1String(words)); };
        const auto theirs = std::make_shared<test::FakeTarget>();
        auto status = theirs->status();
        status.state = engine::GatewayState::running;
        status.remote = true;
        theirs->setStatus(status);
        theirs->setKnownLists({.refusals = false});
        fixture.harness.bridge.lookAt(theirs);
        QTRY_VERIFY(says("What was refused is not known yet."));
        QVERIFY(fixture.showsText(QStringLiteral("Not known yet")) && !fixture.showsText(QStringLiteral("No request was refused")));
        theirs->setKnownLists({});
        QTRY_VERIFY(says("None was refused."));
        QVERIFY(fixture.showsText(QStringLiteral("No request was refused")));
        theirs->setRefusals({{"invalid_token", "Send the token.", 2, format::now()}});
        QTRY_VERIFY(says("2 request(s) refused"));
    }
};

QTEST_MAIN(GatewayPageTest)
#include "tst_gateway_page.moc"
