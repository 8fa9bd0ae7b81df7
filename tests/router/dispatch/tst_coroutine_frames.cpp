// SPDX-License-Identifier: MIT
// Where the frames of coroutines get their memory.
#include "router/dispatch/coroutine_frames.h"
#include "tests/support/run_coroutine.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <QTest>
#include <set>
#include <thread>
#include <vector>

using signalbox::dispatch::FrameMemory;
namespace asio = boost::asio;

namespace {

asio::awaitable<int> depth(int levels) {
    std::array<char, 300> local{};
    local[0] = static_cast<char>(levels);
    if (levels == 0) co_return local[0];
    const int below = co_await depth(levels - 1);
    co_return below + 1;
}

}  // namespace

class TestCoroutineFrames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void blocksAreWritableToTheirEnd();
    void blocksOfOneSizeDiffer();
    void givenBackOnAnotherThread();
    void coroutinesUseIt();
};

void TestCoroutineFrames::blocksAreWritableToTheirEnd() {
    for (int round = 0; round < 3; ++round)
        for (std::size_t bytes = 1; bytes < 20'000; bytes += 37) {
            char* block = static_cast<char*>(FrameMemory::take(bytes));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), std::uintptr_t{0});
            std::fill_n(block, bytes, 'x');
            FrameMemory::give(block, bytes);
        }
}

void TestCoroutineFrames::blocksOfOneSizeDiffer() {
    for (int round = 0; round < 3; ++round) {
        std::set<void*> blocks;
        for (int i = 0; i < 1000; ++i) blocks.insert(FrameMemory::take(1000));
        QCOMPARE(blocks.size(), std::size_t{1000});
        for (void* block : blocks) FrameMemory::give(block, 1000);
    }
}

void TestCoroutineFrames::givenBackOnAnotherThread() {
    std::vector<void*> blocks;
    std::thread([&] {
        for (int i = 0; i < 100; ++i) blocks.push_back(FrameMemory::take(500));
    }).join();
    for (void* block : blocks) FrameMemory::give(block, 500);
    std::set<void*> again;
    for (int i = 0; i < 100; ++i) again.insert(FrameMemory::take(500));
    QCOMPARE(again.size(), std::size_t{100});
    for (void* block : again) FrameMemory::give(block, 500);
}

void TestCoroutineFrames::coroutinesUseIt() {
    asio::io_context context{1};
    QCOMPARE(signalbox::test::runCoroutine(context, depth(20)), 20);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    using Frame = asio::detail::awaitable_frame_base<asio::any_io_executor>;
    void* const block = Frame::operator new(3000);
    const auto where = reinterpret_cast<std::uintptr_t>(block);
    Frame::operator delete(block, 3000);
    void* const again = FrameMemory::take(3000);
    QCOMPARE(reinterpret_cast<std::uintptr_t>(again), where);
    FrameMemory::give(again, 3000);
#endif
}

QTEST_APPLESS_MAIN(TestCoroutineFrames)
#include "tst_coroutine_frames.moc"
