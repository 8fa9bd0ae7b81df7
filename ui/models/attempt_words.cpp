// SPDX-License-Identifier: MIT
#include "ui/models/attempt_words.h"

#include "ui/models/pool_words.h"
#include "ui/models/word_table.h"
#include "ui/theme/format.h"

namespace signalbox::ui::words {

namespace {

struct AttemptWords {
    Q_DECLARE_TR_FUNCTIONS(AttemptWords)
};

constexpr std::array kAttemptRole{
    Word{"primary", QT_TRANSLATE_NOOP("words", "first try")},
    Word{"retry", QT_TRANSLATE_NOOP("words", "retry")},
    Word{"hedge", QT_TRANSLATE_NOOP("words", "backup")},
    Word{"probe", QT_TRANSLATE_NOOP("words", "probe")},
};

constexpr std::array kAttemptReason{
    Word{"hedge_lost", QT_TRANSLATE_NOOP("words", "the other one answered first")},
    Word{"client_gone", QT_TRANSLATE_NOOP("words", "the client left")},
    Word{"gateway_stopped", QT_TRANSLATE_NOOP("words", "the gateway was stopped")},
    Word{"request_budget", QT_TRANSLATE_NOOP("words", "the request's time was used up")},
    Word{"connect_refused", QT_TRANSLATE_NOOP("words", "nothing listens at its address")},
    Word{"connect_unreachable", QT_TRANSLATE_NOOP("words", "its address cannot be reached")},
    Word{"connect_dns", QT_TRANSLATE_NOOP("words", "its host name is not known")},
    Word{"connect_tls", QT_TRANSLATE_NOOP("words", "no trusted TLS connection")},
    Word{"connect_failed", QT_TRANSLATE_NOOP("words", "no connection")},
    Word{"timeout_connect", QT_TRANSLATE_NOOP("words", "no connection in time")},
    Word{"timeout_first_byte", QT_TRANSLATE_NOOP("words", "the first byte did not come in time")},
    Word{"timeout_stream_idle", QT_TRANSLATE_NOOP("words", "the stream stood still for too long")},
    Word{"timeout_total", QT_TRANSLATE_NOOP("words", "the whole answer took too long")},
    Word{"disconnected", QT_TRANSLATE_NOOP("words", "the connection broke")},
    Word{"unusable_encoding", QT_TRANSLATE_NOOP("words", "an encoding that cannot be undone")},
    Word{"corrupt_encoding", QT_TRANSLATE_NOOP("words", "its compressed bytes are broken")},
};

}  // namespace

QString attemptRole(std::string_view role) { return lookUp(kAttemptRole, role); }

QString attemptReason(std::string_view reason) {
    for (const Word& entry : kAttemptReason)
        if (entry.word == reason) return lookUp(kAttemptReason, reason);
    return excluded(reason);  // what kept an attempt from being sent, in the words of pools
}

QString target(const policy::RouteTarget& target) {
    return target.isPool() ? AttemptWords::tr("the router of %1").arg(format::text(target.model)) : format::text(target.endpointId());
}

}  // namespace signalbox::ui::words
