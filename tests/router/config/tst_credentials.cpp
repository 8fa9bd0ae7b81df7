// SPDX-License-Identifier: MIT
// Secrets that systemd hands over as files: found by the name that a variable would have, after the variable.
#include "router/config/credentials.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace signalbox;

class TestCredentials : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void variableComesFirst();
    void fileOfThatName_data();
    void fileOfThatName();
    void whatIsNoCredential_data();
    void whatIsNoCredential();
    void withoutAFolder();
    void processEnvironmentHasThem();

private:
    void write(const char* name, const QByteArray& bytes) const {
        QFile file(m_folder->filePath(QString::fromUtf8(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    [[nodiscard]] config::Environment environment() const {
        return config::withCredentials([variables = m_variables](const std::string& name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            return found == variables.end() ? std::nullopt : std::optional(found->second);
        });
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::map<std::string, std::string> m_variables;
};

void TestCredentials::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_variables = {{"CREDENTIALS_DIRECTORY", m_folder->path().toStdString()}};
}

void TestCredentials::variableComesFirst() {
    write("LAB_KEY", "from-file");
    QCOMPARE(environment()("LAB_KEY").value_or(""), std::string("from-file"));
    m_variables["LAB_KEY"] = "from-variable";
    QCOMPARE(environment()("LAB_KEY").value_or(""), std::string("from-variable"));
    m_variables["LAB_KEY"] = "";
    QVERIFY2(environment()("LAB_KEY") == std::string(), "an empty variable is set, and empty");
}

void TestCredentials::fileOfThatName_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("without a line end") << QByteArray("k-1") << QByteArray("k-1");
    QTest::newRow("line end") << QByteArray("k-1\n") << QByteArray("k-1");
    QTest::newRow("carriage return") << QByteArray("k-1\r\n") << QByteArray("k-1");
    QTest::newRow("two lines stay two") << QByteArray("k-1\nk-2\n") << QByteArray("k-1\nk-2");
    QTest::newRow("spaces belong to it") << QByteArray(" k 1 ") << QByteArray(" k 1 ");
    QTest::newRow("empty") << QByteArray() << QByteArray();
}

void TestCredentials::fileOfThatName() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, value);
    write("LAB_KEY", bytes);
    const auto found = environment()("LAB_KEY");
    QVERIFY(found);
    QCOMPARE(QByteArray::fromStdString(*found), value);
}

void TestCredentials::whatIsNoCredential_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("another name") << QByteArray("OTHER_KEY");
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("a folder") << QByteArray("FOLDER");
    QTest::newRow("above") << QByteArray("../outside");
    QTest::newRow("absolute") << QByteArray("/etc/hostname");
    QTest::newRow("dots") << QByteArray("..");
    QTest::newRow("the folder itself") << QByteArray("CREDENTIALS_DIRECTORY");
}

void TestCredentials::whatIsNoCredential() {
    QFETCH(QByteArray, name);
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("inside")));
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("inside/FOLDER")));
    write("outside", "secret");
    write("inside/CREDENTIALS_DIRECTORY", "secret");
    m_variables["CREDENTIALS_DIRECTORY"] = m_folder->filePath(QStringLiteral("inside")).toStdString();
    const auto found = environment()(name.toStdString());
    QVERIFY(found != std::string("secret"));
    if (name != "CREDENTIALS_DIRECTORY") QVERIFY(!found);
}

void TestCredentials::withoutAFolder() {
    write("LAB_KEY", "from-file");
    m_variables.clear();
    QVERIFY(!environment()("LAB_KEY"));
    m_variables["CREDENTIALS_DIRECTORY"] = "";
    QVERIFY(!environment()("LAB_KEY"));
    m_variables["CREDENTIALS_DIRECTORY"] = m_folder->path().toStdString() + "/nowhere";
    QVERIFY(!environment()("LAB_KEY"));
}

void TestCredentials::processEnvironmentHasThem() {
    write("SIGNALBOX_TEST_CREDENTIAL", "from-file\n");
    qputenv("CREDENTIALS_DIRECTORY", m_folder->path().toUtf8());
    QCOMPARE(config::processEnvironment()("SIGNALBOX_TEST_CREDENTIAL").value_or(""), std::string("from-file"));
    qunsetenv("CREDENTIALS_DIRECTORY");
    QVERIFY(!config::processEnvironment()("SIGNALBOX_TEST_CREDENTIAL"));
}

QTEST_APPLESS_MAIN(TestCredentials)
#include "tst_credentials.moc"
