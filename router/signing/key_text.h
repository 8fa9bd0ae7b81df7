// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The text layer that minisign's three kinds of file share. Errors carry `LINE` or `LINE:COLUMN` in `where`.
namespace signalbox::signing {

inline constexpr std::string_view kUntrustedPrefix = "untrusted comment: ";
inline constexpr std::string_view kTrustedPrefix = "trusted comment: ";
/// Key and signature files are a few hundred bytes; stock minisign reads comments of up to 1 and 8 KiB.
inline constexpr std::size_t kMaxKeyFileBytes = 64 * 1024;
inline constexpr std::size_t kMaxUntrustedComment = 1000;
inline constexpr std::size_t kMaxTrustedComment = 8000;

/// What a decoded line of this many bytes is.
inline constexpr std::size_t kPublicKeyBytes = 42;
inline constexpr std::size_t kSignatureBytes = 74;
inline constexpr std::size_t kSecretKeyBytes = 158;

/// Exactly the lines of the text: ended by LF or CRLF, blank ones at the end left out.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);
/// What follows `prefix` on that line; `number` counts from 1.
[[nodiscard]] Result<std::string_view> commentOf(const std::vector<std::string_view>& lines, std::size_t number,
                                                 std::string_view prefix);
/// Strict base64 of one line: no spaces, padding required, no stray bits.
[[nodiscard]] Result<std::vector<std::uint8_t>> decodeLine(const std::vector<std::string_view>& lines, std::size_t number);
[[nodiscard]] std::string encodeBase64(std::span<const std::uint8_t> bytes);
/// Control characters become spaces and the text is cut to what stock minisign reads.
[[nodiscard]] std::string oneLine(std::string_view comment, std::size_t maxBytes);
/// "This is a minisign public key." and the like, for a line of the wrong length; empty if it is none of the three.
[[nodiscard]] std::string kindBySize(std::size_t bytes);

/// Puts the file in front of the position that a parser reported.
[[nodiscard]] Error inFile(Error error, const std::filesystem::path& file);

}  // namespace signalbox::signing
