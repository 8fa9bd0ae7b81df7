// SPDX-License-Identifier: MIT
// Name lookups, with the system's own replaced: a name that does not answer, and one that does.
#include "router/upstream/resolve.h"

#include "tests/support/run_coroutine.h"

#include <QTest>
#include <boost/asio/co_spawn.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <netdb.h>

using namespace signalbox;
using namespace signalbox::test;
using namespace signalbox::upstream;
using namespace std::chrono_literals;

namespace {

/// Lookups of "slow" wait until they are let go; all are counted.
struct NameServer {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::string, int> asked;
    bool letGo = false;

    int lookUp(const std::string& host) {
        std::unique_lock lock(mutex);
        ++asked[host];
        changed.notify_all();
        if (host == "slow.invalid") changed.wait(lock, [this] { return letGo; });
        return host == "quick.invalid" ? 0 : EAI_AGAIN;
    }
    void release() {
        const std::lock_guard lock(mutex);
        letGo = true;
        changed.notify_all();
    }
    bool wasAsked(const std::string& host) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, 10s, [&] { return asked.contains(host); });
    }
};

NameServer& nameServer() {
    static NameServer one;
    return one;
}

}  // namespace

/// In the place of the C library's.
extern "C" int getaddrinfo(const char* host, const char* service, const addrinfo*, addrinfo** out) {
    const int answer = nameServer().lookUp(host == nullptr ? "" : host);
    if (answer != 0) return answer;
    auto* const address = new sockaddr_in{};
    address->sin_family = AF_INET;
    address->sin_port = htons(static_cast<std::uint16_t>(std::atoi(service)));
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *out = new addrinfo{0, AF_INET, SOCK_STREAM, IPPROTO_TCP, sizeof(sockaddr_in), reinterpret_cast<sockaddr*>(address), nullptr, nullptr};
    return 0;
}

extern "C" void freeaddrinfo(addrinfo* list) {
    delete reinterpret_cast<sockaddr_in*>(list->ai_addr);
    delete list;
}

class TestNameLookup : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatNobodyWaitsForIsNotLookedUp();
};

// F19: the lookups of a thread are made one after the other.
void TestNameLookup::whatNobodyWaitsForIsNotLookedUp() {
    boost::asio::io_context context{1};
    const auto lookUp = [](std::string host, Steady by) -> boost::asio::awaitable<Resolved> {
        Deadline deadline(co_await boost::asio::this_coro::executor, Steady::max());
        deadline.arm(by, Limit::connect);
        co_return co_await resolve(std::move(host), 443, deadline);
    };
    const Steady soon = std::chrono::steady_clock::now() + 20ms;
    constexpr int kCallers = 8;
    int givenUp = 0;
    for (int i = 0; i < kCallers; ++i)
        boost::asio::co_spawn(context, lookUp("slow.invalid", soon), [&](std::exception_ptr, Resolved late) {
            if (late.error == boost::asio::error::operation_aborted) ++givenUp;
        });
    while (givenUp < kCallers && context.run_one() > 0) continue;
    QCOMPARE(givenUp, kCallers);
    QVERIFY(nameServer().wasAsked("slow.invalid"));
    boost::asio::co_spawn(context, lookUp("quick.invalid", Steady::max()), [&](std::exception_ptr, Resolved found) {
        QVERIFY(!found.error);
        QCOMPARE(found.endpoints.size(), std::size_t{1});
        QVERIFY(found.endpoints.front().address().is_loopback());
        QCOMPARE(found.endpoints.front().port(), std::uint16_t{443});
    });
    nameServer().release();
    context.restart();
    context.run();
    const std::lock_guard lock(nameServer().mutex);
    QCOMPARE(nameServer().asked["quick.invalid"], 1);
    QVERIFY2(nameServer().asked["slow.invalid"] == 1, qPrintable(QString::number(nameServer().asked["slow.invalid"])));
}

QTEST_APPLESS_MAIN(TestNameLookup)
#include "tst_name_lookup.moc"
