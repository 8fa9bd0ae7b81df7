// SPDX-License-Identifier: MIT
#include "router/dispatch/coroutine_frames.h"

#include <array>
#include <new>

namespace signalbox::dispatch {

namespace {

constexpr std::size_t kStep = 64;
constexpr std::size_t kLargest = 8192;
constexpr std::size_t kMaxKept = 256 << 10;

// The address sanitizer finds a frame that is used after its end only when it has the memory back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeeps = false;
#else
constexpr bool kKeeps = true;
#endif

struct FreeBlock {
    FreeBlock* next;
};

struct KeptBlocks {
    std::array<FreeBlock*, kLargest / kStep> bySize{};
    std::size_t bytes = 0;
    bool closed = false;
};

constinit thread_local KeptBlocks t_kept;

/// Gives everything back at the end of the thread; frames that end even later are not kept any more.
struct KeptAtExit {
    ~KeptAtExit() {
        t_kept.closed = true;
        for (FreeBlock*& first : t_kept.bySize)
            while (first != nullptr) {
                FreeBlock* block = first;
                first = block->next;
                ::operator delete(block);
            }
    }
    void exist() {}
};

std::size_t placeOf(std::size_t bytes) { return (bytes - 1) / kStep; }

}  // namespace

void* FrameMemory::take(std::size_t bytes) {
    if (!kKeeps || bytes == 0 || bytes > kLargest) return ::operator new(bytes);
    const std::size_t place = placeOf(bytes);
    FreeBlock*& first = t_kept.bySize[place];
    if (first == nullptr) return ::operator new((place + 1) * kStep);
    FreeBlock* block = first;
    first = block->next;
    t_kept.bytes -= (place + 1) * kStep;
    return block;
}

void FrameMemory::give(void* block, std::size_t bytes) noexcept {
    const std::size_t place = placeOf(bytes);
    const std::size_t size = (place + 1) * kStep;
    if (!kKeeps || bytes == 0 || bytes > kLargest || t_kept.closed || t_kept.bytes + size > kMaxKept)
        return ::operator delete(block);
    if (t_kept.bytes == 0) {
        static thread_local KeptAtExit atExit;
        atExit.exist();
    }
    t_kept.bySize[place] = new (block) FreeBlock{t_kept.bySize[place]};
    t_kept.bytes += size;
}

}  // namespace signalbox::dispatch
