// SPDX-License-Identifier: MIT
// A gateway holds API keys: it takes them from where systemd leaves them, and its memory goes nowhere.
#include "app/shared/process_setup.h"
#include "tests/app/gateway_process.h"
#include "tests/support/scripted_upstream.h"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::test;

class TestCtlSecrets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysTokensAndDatabaseFromCredentials();
    void proxyVariablesAreIgnored();
    void memoryIsKeptPrivate();
    void noCoreIsWritten();
};

namespace {

constexpr auto kAnswer =
    R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]})";

QByteArray configFor(const ScriptedUpstream& upstream, const QByteArray& more = {}) {
    return "[server]\nlisten = \"127.0.0.1:0\"\nthreads = 1\n[providers.lab]\nbase_url = \"" + QByteArray::fromStdString(upstream.baseUrl()) +
           "\"\nmodels = [\"amber-26b\", \"basalt-31b\"]\n" + more +
           "\n[presets.amber-base]\nprovider = \"lab\"\n[presets.amber-k4]\nprovider = \"lab\"\n"
           "[presets.amber-wide]\nprovider = \"lab\"\n[presets.basalt-base]\nprovider = \"lab\"\n";
}

CtlHome::Run ask(const CtlHome& home, const QByteArray& address, const QString& token) {
    return home.runProgram(QStringLiteral("curl"),
                           {QStringLiteral("-sS"), QStringLiteral("-m"), QStringLiteral("20"), QStringLiteral("-o"), QStringLiteral("/dev/null"),
                            QStringLiteral("-w"), QStringLiteral("%{http_code}"), QStringLiteral("--noproxy"), QStringLiteral("*"),
                            QStringLiteral("-H"), QStringLiteral("Authorization: Bearer ") + token, QStringLiteral("-d"),
                            QStringLiteral(R"({"model":"lab:amber-26b","messages":[]})"),
                            QString::fromUtf8("http://" + address + "/v1/chat/completions")});
}

/// Runs `work` in a child with core dumps allowed and gives what became of it, as from waitpid.
template <typename Work>
int statusOfChild(const QString& folder, Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
        if (::getrlimit(RLIMIT_CORE, &unlimited) == 0) unlimited.rlim_cur = unlimited.rlim_max;
        ::setrlimit(RLIMIT_CORE, &unlimited);
        if (::chdir(folder.toUtf8().constData()) != 0) ::_exit(120);
        work();
        ::_exit(121);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

}  // namespace

void TestCtlSecrets::keysTokensAndDatabaseFromCredentials() {
    ScriptedUpstream upstream;
    upstream.setStandingReply(Reply::json(kAnswer));
    CtlHome home;
    home.writeGoodWorkspace();
    home.write("ws/gateway.toml", configFor(upstream, "api_key_env = \"LAB_KEY\"\napi_key_required = true\n") +
                                      "[auth]\ntoken_env = \"OWN_TOKEN\"\n[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\n"
                                      "[evidence]\ndsn_env = \"EVIDENCE_DSN\"\n[admin]\ntoken_env = \"ADMIN_TOKEN\"\n");
    home.write("credentials/LAB_KEY", "planted-api-key-71\n");
    home.write("credentials/OWN_TOKEN", "planted-own-token-72\n");
    home.write("credentials/BATCH_TOKEN", "planted-batch-token-73\n");
    home.write("credentials/ADMIN_TOKEN", "planted-admin-token-75\n");
    home.write("credentials/EVIDENCE_DSN", "postgresql://ada:planted-74@127.0.0.1:1/none\n");
    home.set("CREDENTIALS_DIRECTORY", home.path("credentials"));
    Gateway gateway(home, {QStringLiteral("ws")});
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    QCOMPARE(ask(home, address, QStringLiteral("planted-own-token-72")).out, QByteArray("200"));
    QCOMPARE(ask(home, address, QStringLiteral("planted-batch-token-73")).out, QByteArray("200"));
    QCOMPARE(ask(home, address, QStringLiteral("planted-own-token-7")).out, QByteArray("401"));
    QCOMPARE(upstream.requestCount(), std::size_t{2});
    for (const ReceivedRequest& request : upstream.requests())
        QCOMPARE(request.header("Authorization"), std::string("Bearer planted-api-key-71"));
    const auto status = home.runProgram(QStringLiteral("curl"), {QStringLiteral("-sS"), QStringLiteral("-m"), QStringLiteral("20"), QStringLiteral("-H"),
                                                                 QStringLiteral("Authorization: Bearer planted-admin-token-75"),
                                                                 QString::fromUtf8("http://" + address + "/admin/router/status")});
    QVERIFY2(status.out.contains("decisionsTotal"), status.out.constData());
    QVERIFY2(gateway.says("evidence unavailable"), "the database is asked where the credential says");
    QVERIFY2(gateway.log().contains("$EVIDENCE_DSN"), gateway.log().constData());
    QVERIFY2(!gateway.log().contains("planted-"), gateway.log().constData());
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
    // `check` sees them, too: nothing is said to be missing.
    const auto check = home.run({QStringLiteral("check"), QStringLiteral("ws")});
    QCOMPARE(check.code, 0);
    QVERIFY2(!(check.out + check.err).contains("is not set"), (check.out + check.err).constData());
    home.unset("CREDENTIALS_DIRECTORY");
    QVERIFY((home.run({QStringLiteral("check"), QStringLiteral("ws")}).out + home.run({QStringLiteral("check"), QStringLiteral("ws")}).err).contains("is not set"));
}

/// A variable that some shell exported must not send prompts and keys elsewhere.
void TestCtlSecrets::proxyVariablesAreIgnored() {
    ScriptedUpstream upstream, proxy;
    upstream.setStandingReply(Reply::json(kAnswer));
    CtlHome home;
    home.writeGoodWorkspace();
    home.write("ws/gateway.toml", configFor(upstream));
    for (const char* variable : {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
        home.set(variable, QStringLiteral("http://127.0.0.1:%1").arg(proxy.port()));
    Gateway gateway(home, {QStringLiteral("ws"), QStringLiteral("--no-evidence")});
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    const auto states = home.files("data/state");
    const QByteArray token = home.read(("data/state/" + states.value(0).toUtf8() + "/client-token").constData()).trimmed();
    QCOMPARE(ask(home, address, QString::fromUtf8(token)).out, QByteArray("200"));
    QCOMPARE(upstream.requestCount(), std::size_t{1});
    QCOMPARE(proxy.connectionsAccepted(), std::size_t{0});
}

void TestCtlSecrets::memoryIsKeptPrivate() {
    QTemporaryDir folder;
    const int status = statusOfChild(folder.path(), [] {
        const bool before = ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
        const bool kept = app::keepMemoryPrivate().has_value();
        ::_exit(before && kept && ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : 1);
    });
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

void TestCtlSecrets::noCoreIsWritten() {
    CtlHome home;
    home.writeGoodWorkspace();
    QTemporaryDir folder;
    const int control = statusOfChild(folder.path(), [] { ::abort(); });
    QVERIFY(WIFSIGNALED(control));
    if (!WCOREDUMP(control)) QSKIP("this system writes no core dumps at all, so nothing can be shown");

    int ready[2];
    QVERIFY(::pipe(ready) == 0);
    const QByteArray binary = CtlHome::binary().toUtf8(), workspace = home.path("ws").toUtf8();
    const QByteArray data = "SIGNALBOX_DATA_DIR=" + home.path("data").toUtf8(), user = "HOME=" + home.path(".").toUtf8();
    const int status = statusOfChild(folder.path(), [&] {
        // The gateway is a child of the child, which waits for its ready line, ends it and hands on what became of it.
        const pid_t gateway = ::fork();
        if (gateway == 0) {
            ::dup2(ready[1], STDOUT_FILENO);
            const int nowhere = ::open("/dev/null", O_WRONLY);
            ::dup2(nowhere, STDERR_FILENO);
            const char* arguments[] = {binary.constData(), "serve", workspace.constData(), "--no-evidence", nullptr};
            const char* environment[] = {data.constData(), user.constData(), "LC_ALL=C.UTF-8", nullptr};
            ::execve(binary.constData(), const_cast<char**>(arguments), const_cast<char**>(environment));
            ::_exit(122);
        }
        ::close(ready[1]);
        char byte = 0;
        if (::read(ready[0], &byte, 1) != 1) ::_exit(123);
        ::kill(gateway, SIGABRT);
        int became = 0;
        ::waitpid(gateway, &became, 0);
        ::_exit(!WIFSIGNALED(became) ? 124 : WCOREDUMP(became) ? 1 : 0);
    });
    ::close(ready[0]);
    ::close(ready[1]);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

QTEST_APPLESS_MAIN(TestCtlSecrets)
#include "tst_ctl_secrets.moc"
