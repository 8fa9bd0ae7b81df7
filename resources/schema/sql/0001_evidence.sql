-- SPDX-License-Identifier: MIT
-- Decision records, one row for each admitted request. A partition holds one UTC day, so that retention can drop
-- whole tables; no foreign key points here, since that would make dropping impossible.
CREATE TABLE signalbox.decisions (
    receipt text NOT NULL,             -- the whole record as encodeRecord wrote it
    id uuid NOT NULL,                  -- rtd_ + these 32 digits; begins with the milliseconds
    created_at timestamptz NOT NULL,
    origin text NOT NULL,
    target text NOT NULL,
    environment text NOT NULL,
    principal text NOT NULL,
    team text NOT NULL,
    edge text NOT NULL,
    requested_model text NOT NULL,
    resolved_by text NOT NULL,
    policy_hash text NOT NULL,
    mode text NOT NULL,
    family text,
    rule_index bigint,
    preset text,
    reason text NOT NULL,
    coverage text NOT NULL,
    gap_index bigint,
    workload_class text NOT NULL,
    expected_output_length text NOT NULL,
    concurrency_mode text NOT NULL,
    cell smallint NOT NULL,
    endpoint text NOT NULL,            -- empty when none answered
    attempts integer NOT NULL,
    outcome text NOT NULL,
    status integer NOT NULL,
    error_code text NOT NULL,
    queue_ms double precision NOT NULL,
    first_content_ms double precision,
    total_ms double precision NOT NULL,
    input_tokens bigint,
    cached_tokens bigint,
    output_tokens bigint,
    cost_usd double precision,
    simulated boolean NOT NULL,
    PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

-- Pages run from new to old by (created_at, id); each filter brings its own index with that order behind it.
CREATE INDEX decisions_time ON signalbox.decisions (created_at, id);
CREATE INDEX decisions_preset ON signalbox.decisions (preset, created_at, id) WHERE preset IS NOT NULL;
CREATE INDEX decisions_rule ON signalbox.decisions (rule_index, created_at, id) WHERE rule_index IS NOT NULL;
CREATE INDEX decisions_family ON signalbox.decisions (family, created_at, id) WHERE family IS NOT NULL;
CREATE INDEX decisions_endpoint ON signalbox.decisions (endpoint, created_at, id);
CREATE INDEX decisions_coverage ON signalbox.decisions (coverage, created_at, id) WHERE coverage <> 'rule';
CREATE INDEX decisions_outcome ON signalbox.decisions (outcome, created_at, id) WHERE outcome <> 'served';
CREATE INDEX decisions_principal ON signalbox.decisions (principal, created_at, id) WHERE principal <> '';
CREATE INDEX decisions_team ON signalbox.decisions (team, created_at, id) WHERE team <> '';

-- How far each journal segment is stored: the other half of "exactly once". Written with the rows it counts.
CREATE TABLE signalbox.journal_progress (
    segment text PRIMARY KEY,
    position bigint NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- Requests by minute and by hour. Empty text and -1 stand for "none", so that the key needs no nulls.
CREATE TABLE signalbox.rollup_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    preset text NOT NULL,
    family text NOT NULL,
    cell smallint NOT NULL,
    rule_index bigint NOT NULL,
    coverage text NOT NULL,
    endpoint text NOT NULL,
    outcome text NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (bucket, origin, preset, family, cell, rule_index, coverage, endpoint, outcome)
);
CREATE TABLE signalbox.rollup_hour (LIKE signalbox.rollup_minute INCLUDING ALL);

-- Latency histograms that can be added up. Slot s holds values in (1.04^(s-1), 1.04^s] milliseconds, which keeps
-- the error of a percentile within 2 %. Measures: first_content, total.
CREATE TABLE signalbox.latency_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    preset text NOT NULL,
    measure text NOT NULL,
    slot smallint NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (bucket, origin, preset, measure, slot)
);
CREATE TABLE signalbox.latency_hour (LIKE signalbox.latency_minute INCLUDING ALL);

-- From when on the minute tables are complete; moved by retention together with what it deletes.
CREATE TABLE signalbox.retention_state (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    minutes_from timestamptz NOT NULL
);
INSERT INTO signalbox.retention_state (minutes_from) VALUES ('-infinity');
