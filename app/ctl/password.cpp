// SPDX-License-Identifier: MIT
#include "app/ctl/password.h"

#include <fcntl.h>
#include <string_view>
#include <termios.h>
#include <unistd.h>

namespace signalbox::ctl {
namespace {

/// The controlling terminal with its echo off. Not standard input, which may be a pipe with the data.
class SilentTerminal {
public:
    SilentTerminal() : m_descriptor(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {
        if (m_descriptor < 0 || ::tcgetattr(m_descriptor, &m_before) != 0) return;
        termios silent = m_before;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        m_silent = ::tcsetattr(m_descriptor, TCSAFLUSH, &silent) == 0;
    }
    ~SilentTerminal() {
        if (m_silent) ::tcsetattr(m_descriptor, TCSAFLUSH, &m_before);
        if (m_descriptor >= 0) ::close(m_descriptor);
    }
    SilentTerminal(const SilentTerminal&) = delete;
    SilentTerminal& operator=(const SilentTerminal&) = delete;

    [[nodiscard]] bool ok() const { return m_silent; }
    void write(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t n = ::write(m_descriptor, text.data(), text.size());
            if (n <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(n));
        }
    }
    [[nodiscard]] std::string readLine() const {
        std::string line;
        char c = 0;
        while (::read(m_descriptor, &c, 1) == 1 && c != '\n') line += c;
        write("\n");
        return line;
    }

private:
    int m_descriptor;
    bool m_silent = false;
    termios m_before{};
};

}  // namespace

Result<std::string> askPassword(Context& context, const std::string& variable, const std::string& prompt, bool isNew) {
    std::string password;
    if (const auto set = context.environment(variable)) {
        password = *set;
    } else {
        const SilentTerminal terminal;
        if (!terminal.ok())
            return fail(ErrorKind::badInput, "a password is needed and there is no terminal to ask for it", {},
                        "Set " + variable + ".");
        terminal.write(prompt + ": ");
        password = terminal.readLine();
        if (isNew) {
            terminal.write("Once more: ");
            if (terminal.readLine() != password)
                return fail(ErrorKind::badInput, "the two passwords differ, nothing was written", {}, "Try again.");
        }
    }
    if (isNew && password.empty())
        return fail(ErrorKind::badInput, "the password is empty, nothing was written", {},
                    "Choose one, or say --no-password to leave the key unprotected on purpose.");
    return password;
}

}  // namespace signalbox::ctl
