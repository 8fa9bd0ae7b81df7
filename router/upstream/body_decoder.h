// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// Undoes a Content-Encoding that came although we asked for identity (F39).
class BodyDecoder {
public:
    /// nullopt for an encoding that we cannot undo.
    [[nodiscard]] static std::optional<BodyDecoder> forEncoding(std::string_view contentEncoding);
    BodyDecoder(BodyDecoder&&) noexcept;
    BodyDecoder& operator=(BodyDecoder&&) noexcept;
    ~BodyDecoder();

    enum class Outcome : std::uint8_t { decoded, corrupt, tooLarge };
    /// Appends what `bytes` mean to `out`, which never grows over `limit` bytes. They are used up: where they mean
    /// themselves and `out` is empty, their memory goes there.
    [[nodiscard]] Outcome decode(std::string& bytes, std::string& out, std::size_t limit);
    /// The compressed stream ended where the body did.
    [[nodiscard]] bool finished() const;

private:
    struct Inflater;
    explicit BodyDecoder(std::unique_ptr<Inflater> inflater);
    std::unique_ptr<Inflater> m_inflater;  ///< null: identity
};

}  // namespace signalbox::upstream
