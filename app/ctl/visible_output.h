// SPDX-License-Identifier: MIT
#pragma once

#include <streambuf>

namespace signalbox::ctl {

/// Passes bytes on, but shows control characters as `\x1b`, so that no name out of a request or a foreign file can
/// steer the reader's terminal. Newlines and tabs pass; so does valid JSON, which holds none of the others raw.
/// DEL and U+0080..U+009F may stand in JSON, so they are shown only where a `terminal` reads.
class VisibleOutput : public std::streambuf {
public:
    VisibleOutput(std::streambuf& to, bool terminal) : m_to(to), m_terminal(terminal) {}

protected:
    int_type overflow(int_type byte) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;

private:
    [[nodiscard]] bool put(unsigned char byte);
    [[nodiscard]] bool show(unsigned char byte);

    std::streambuf& m_to;
    bool m_terminal;
    bool m_heldC2 = false;  ///< first byte of U+0080..U+00BF, until the second tells which half
};

}  // namespace signalbox::ctl
