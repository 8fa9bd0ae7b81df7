// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/detail/thread_info_base.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>

namespace signalbox::dispatch {

/// Memory for the frames of coroutines. A request enters a few dozen of them, and Asio keeps two small ones a thread and
/// gets the others by aligned allocation, which is the dear kind. Here each thread keeps what it gave back, by size, up to
/// 256 KiB; what it takes beyond that is ordinary memory. A block may be given back on another thread.
class FrameMemory {
public:
    [[nodiscard]] static void* take(std::size_t bytes);
    static void give(void* block, std::size_t bytes) noexcept;
};

}  // namespace signalbox::dispatch

// Asio offers no other place where the memory of its frames could be had from elsewhere. Every file that has coroutines
// must see this, so it is included by whatever declares one, instead of asio/awaitable.hpp.
template <>
inline void* boost::asio::detail::thread_info_base::allocate<boost::asio::detail::thread_info_base::awaitable_frame_tag>(
    awaitable_frame_tag, thread_info_base*, std::size_t bytes, std::size_t) {
    return signalbox::dispatch::FrameMemory::take(bytes);
}

template <>
inline void boost::asio::detail::thread_info_base::deallocate<boost::asio::detail::thread_info_base::awaitable_frame_tag>(
    awaitable_frame_tag, thread_info_base*, void* block, std::size_t bytes) {
    signalbox::dispatch::FrameMemory::give(block, bytes);
}
