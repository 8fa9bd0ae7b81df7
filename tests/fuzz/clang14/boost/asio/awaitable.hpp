// SPDX-License-Identifier: MIT
#pragma once

// Clang 14 knows no coroutines of C++20, so Asio hides this type from it. Fuzz targets take in single sources that only
// pass headers naming it; nothing is ever made of it.
#include <boost/asio/any_io_executor.hpp>

namespace boost::asio {
template <typename T, typename Executor = any_io_executor>
class awaitable;
}  // namespace boost::asio
