// SPDX-License-Identifier: MIT
#include "router/evidence/dsn.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::evidence;

class TestDsn : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void passwordsNeverShow_data() {
        QTest::addColumn<QString>("dsn");
        QTest::addColumn<QString>("secret");
        QTest::newRow("uri") << "postgresql://me:hunter2@db/x" << "hunter2";
        QTest::newRow("uri, percent-encoded, as written") << "postgresql://me:h%40nter@db/x" << "h%40nter";
        QTest::newRow("uri, percent-encoded, as meant") << "postgresql://me:h%40nter@db/x" << "h@nter";
        QTest::newRow("pairs") << "host=db password='a b' dbname=x" << "a b";
        QTest::newRow("key file's password") << "host=db sslpassword=topsecret" << "topsecret";
    }
    void passwordsNeverShow() {
        QFETCH(QString, dsn);
        QFETCH(QString, secret);
        const std::string text = redacted("FATAL:  login with " + secret.toStdString() + " failed\n", dsn.toStdString());
        QVERIFY2(!QString::fromStdString(text).contains(secret), text.c_str());
        QVERIFY(QString::fromStdString(text).contains(QStringLiteral("(password)")));
    }

    void aBadStringIsNotRepeated() {
        const auto result = completedDsn("hunter2 is my password", "$SIGNALBOX_DSN");
        QVERIFY(!result.has_value());
        // Every log line loses what stands between a colon and an @, so the example must not need it.
        QVERIFY(result.error().hint.find(":PASSWORD@") == std::string::npos);
        const QString text = QString::fromStdString(result.error().text());
        QVERIFY2(!text.contains(QStringLiteral("hunter2")), qPrintable(text));
        QVERIFY2(text.startsWith(QStringLiteral("$SIGNALBOX_DSN: ")), qPrintable(text));
    }

    void limitsAreAddedWhereTheUserSaidNothing() {
        const QString plain = QString::fromStdString(completedDsn("host=db", "x").value());
        QVERIFY2(plain.contains(QStringLiteral("connect_timeout='5'")), qPrintable(plain));
        const QString own = QString::fromStdString(completedDsn("host=db connect_timeout=30 password='it''s'", "x").value_or(""));
        QVERIFY(own.isEmpty() || own.contains(QStringLiteral("connect_timeout='30'")));
        const QString quoted = QString::fromStdString(completedDsn(R"(host=db password='a\'b')", "x").value());
        QVERIFY2(quoted.contains(QStringLiteral(R"(password='a\'b')")), qPrintable(quoted));
    }
};

QTEST_APPLESS_MAIN(TestDsn)
#include "tst_dsn.moc"
