-- SPDX-License-Identifier: MIT
-- What happened to gateways: few rows, and most of them stay when the decisions of their time go, so one plain table.
-- The key leads with the time because every question does.
CREATE TABLE signalbox.events (
    receipt text NOT NULL,             -- the whole event as encodeEvent wrote it
    id uuid NOT NULL,                  -- evt_ + these 32 digits
    created_at timestamptz NOT NULL,
    target text NOT NULL,
    environment text NOT NULL,
    subject text NOT NULL,
    actor text NOT NULL,
    policy_hash text NOT NULL,
    kind text NOT NULL,
    PRIMARY KEY (created_at, id)
);

-- The history of one endpoint; the acts of people among thousands of circuits.
CREATE INDEX events_subject ON signalbox.events (subject, created_at, id);
CREATE INDEX events_kind ON signalbox.events (kind, created_at, id);
