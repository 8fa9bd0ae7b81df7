// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/evidence.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QtGlobal>

namespace signalbox::test {

/// One store on a journal folder of its own and the shared server.
struct Station {
    explicit Station(const Postgres& postgres) { options.dsn = postgres.dsn(), options.dsnName = "$TEST_DSN"; }
    std::unique_ptr<evidence::EvidenceStore> open() {
        options.journalFolder = folder.path() / "journal";
        auto store = evidence::openEvidence(options, clock);
        if (!store) qFatal("%s", store.error().text().c_str());
        return std::move(*store);
    }
    OpenTemporaryFolder folder;
    ManualClock clock{kStart};
    evidence::EvidenceOptions options;
};

}  // namespace signalbox::test
