// SPDX-License-Identifier: MIT
#include "app/ctl/visible_output.h"

namespace signalbox::ctl {
namespace {

bool pass(std::streambuf& to, unsigned char byte) {
    return !std::streambuf::traits_type::eq_int_type(to.sputc(static_cast<char>(byte)), std::streambuf::traits_type::eof());
}

}  // namespace

bool VisibleOutput::show(unsigned char byte) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const char text[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 0xf]};
    return m_to.sputn(text, sizeof text) == static_cast<std::streamsize>(sizeof text);
}

bool VisibleOutput::put(unsigned char byte) {
    if (m_heldC2) {
        m_heldC2 = false;
        if (byte >= 0x80 && byte < 0xa0) return show(byte);
        if (!pass(m_to, 0xc2)) return false;
    }
    if (m_terminal && byte == 0xc2) {
        m_heldC2 = true;
        return true;
    }
    const bool control = (byte < 0x20 && byte != '\n' && byte != '\t') || (m_terminal && byte == 0x7f);
    return control ? show(byte) : pass(m_to, byte);
}

VisibleOutput::int_type VisibleOutput::overflow(int_type byte) {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    return put(static_cast<unsigned char>(traits_type::to_char_type(byte))) ? byte : traits_type::eof();
}

std::streamsize VisibleOutput::xsputn(const char* bytes, std::streamsize count) {
    for (std::streamsize i = 0; i < count; ++i)
        if (!put(static_cast<unsigned char>(bytes[i]))) return i;
    return count;
}

int VisibleOutput::sync() { return m_to.pubsync(); }

}  // namespace signalbox::ctl
