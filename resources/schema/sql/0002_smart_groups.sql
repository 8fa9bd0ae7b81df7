-- SPDX-License-Identifier: MIT
-- What smart groups answered, and every call that a request led to. Null where no group was asked; rows from before
-- this migration know neither. The canary's bucket is 0..99; `cooling` names the candidates that were cut for it.
ALTER TABLE signalbox.decisions
    ADD COLUMN route_group text,
    ADD COLUMN profile text,
    ADD COLUMN selected text,              -- tried first; empty when the group refused
    ADD COLUMN recommended text,
    ADD COLUMN candidate_count integer,    -- eligible ones
    ADD COLUMN selected_score double precision,
    ADD COLUMN recommended_score double precision,
    ADD COLUMN reason_codes text[],
    ADD COLUMN session_affinity boolean,
    ADD COLUMN shadow_disagreement boolean,
    ADD COLUMN affinity text,
    ADD COLUMN deciding_term text,         -- empty where both are the same
    ADD COLUMN margin double precision,
    ADD COLUMN margin_slot smallint,
    ADD COLUMN canary_bucket smallint,
    ADD COLUMN activation_percent smallint,
    ADD COLUMN selected_cost_usd double precision,       -- these four are estimates
    ADD COLUMN selected_latency_ms double precision,
    ADD COLUMN recommended_cost_usd double precision,
    ADD COLUMN recommended_latency_ms double precision,
    ADD COLUMN candidates text[],
    ADD COLUMN cooling text[],
    ADD COLUMN also_tried text[],          -- endpoints of attempts other than `endpoint`; null when there was none
    ADD COLUMN calls jsonb;                -- of each attempt: e endpoint, o outcome, s status, ms, f ms to content, c cost

-- The few older rows that tried several endpoints. jsonb cannot hold the NUL that a client's text may have brought.
UPDATE signalbox.decisions AS d
   SET also_tried = (SELECT array_agg(DISTINCT a ->> 'endpoint')
                       FROM jsonb_array_elements(replace(d.receipt, '\u0000', '\ufffd')::jsonb -> 'attempts') AS a
                      WHERE a ->> 'endpoint' <> d.endpoint)
 WHERE attempts > 1 OR (attempts > 0 AND endpoint = '');

-- Filters that reach far back for few rows; profile and the agreeing pairs are found on the way through their group.
CREATE INDEX decisions_group ON signalbox.decisions (route_group, created_at, id) WHERE route_group IS NOT NULL;
CREATE INDEX decisions_disagreement ON signalbox.decisions (created_at, id) WHERE shadow_disagreement;
CREATE INDEX decisions_pair ON signalbox.decisions (selected, recommended, created_at, id) WHERE selected <> recommended;
CREATE INDEX decisions_term ON signalbox.decisions (deciding_term, created_at, id) WHERE deciding_term <> '';
CREATE INDEX decisions_mode ON signalbox.decisions (mode, created_at, id) WHERE mode NOT IN ('', 'off_static', 'shadow');
CREATE INDEX decisions_also_tried ON signalbox.decisions USING gin (also_tried) WHERE also_tried IS NOT NULL;

-- Sums by minute and by hour, one pair of tables for each question. First the decisions that may disagree (shadow and
-- canary_control) and had something to choose from.
CREATE TABLE signalbox.shadow_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    route_group text NOT NULL,
    profile text NOT NULL,
    decisions bigint NOT NULL,
    disagreements bigint NOT NULL,
    PRIMARY KEY (bucket, origin, route_group, profile)
);
CREATE TABLE signalbox.shadow_hour (LIKE signalbox.shadow_minute INCLUDING ALL);

CREATE TABLE signalbox.shadow_pair_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    route_group text NOT NULL,
    profile text NOT NULL,
    selected text NOT NULL,
    recommended text NOT NULL,
    deciding_term text NOT NULL,
    decisions bigint NOT NULL,
    selected_cost_usd double precision NOT NULL,
    selected_latency_ms double precision NOT NULL,
    recommended_cost_usd double precision NOT NULL,
    recommended_latency_ms double precision NOT NULL,
    PRIMARY KEY (bucket, origin, route_group, profile, selected, recommended, deciding_term)
);
CREATE TABLE signalbox.shadow_pair_hour (LIKE signalbox.shadow_pair_minute INCLUDING ALL);

CREATE TABLE signalbox.shadow_margin_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    route_group text NOT NULL,
    profile text NOT NULL,
    margin_slot smallint NOT NULL,
    decisions bigint NOT NULL,
    PRIMARY KEY (bucket, origin, route_group, profile, margin_slot)
);
CREATE TABLE signalbox.shadow_margin_hour (LIKE signalbox.shadow_margin_minute INCLUDING ALL);

-- Any mode from here on.
CREATE TABLE signalbox.group_served_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    route_group text NOT NULL,
    profile text NOT NULL,
    mode text NOT NULL,
    edge text NOT NULL,
    decisions bigint NOT NULL,
    PRIMARY KEY (bucket, origin, route_group, profile, mode, edge)
);
CREATE TABLE signalbox.group_served_hour (LIKE signalbox.group_served_minute INCLUDING ALL);

CREATE TABLE signalbox.group_affinity_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    route_group text NOT NULL,
    profile text NOT NULL,
    affinity text NOT NULL,
    decisions bigint NOT NULL,
    PRIMARY KEY (bucket, origin, route_group, profile, affinity)
);
CREATE TABLE signalbox.group_affinity_hour (LIKE signalbox.group_affinity_minute INCLUDING ALL);

-- Refusing decisions included: that all were cooling is what one wants to see.
CREATE TABLE signalbox.group_candidate_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    route_group text NOT NULL,
    profile text NOT NULL,
    endpoint text NOT NULL,
    decisions bigint NOT NULL,
    cooling bigint NOT NULL,
    PRIMARY KEY (bucket, origin, route_group, profile, endpoint)
);
CREATE TABLE signalbox.group_candidate_hour (LIKE signalbox.group_candidate_minute INCLUDING ALL);

-- Attempts of all requests, whatever led there.
CREATE TABLE signalbox.call_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    endpoint text NOT NULL,
    outcome text NOT NULL,
    status integer NOT NULL,
    calls bigint NOT NULL,
    cost_calls bigint NOT NULL,
    cost_usd double precision NOT NULL,
    PRIMARY KEY (bucket, origin, endpoint, outcome, status)
);
CREATE TABLE signalbox.call_hour (LIKE signalbox.call_minute INCLUDING ALL);

-- Slots as in latency_minute; served attempts only, from their own start. Measures: first_content, total.
CREATE TABLE signalbox.call_latency_minute (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    endpoint text NOT NULL,
    measure text NOT NULL,
    slot smallint NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (bucket, origin, endpoint, measure, slot)
);
CREATE TABLE signalbox.call_latency_hour (LIKE signalbox.call_latency_minute INCLUDING ALL);

-- For budgets, which look at months.
CREATE TABLE signalbox.spend_hour (
    bucket timestamptz NOT NULL,
    origin text NOT NULL,
    principal text NOT NULL,
    cost_usd double precision NOT NULL,
    PRIMARY KEY (bucket, origin, principal)
);
INSERT INTO signalbox.spend_hour
SELECT date_trunc('hour', created_at), origin, principal, sum(cost_usd)
  FROM signalbox.decisions
 WHERE cost_usd IS NOT NULL AND principal <> ''
 GROUP BY 1, 2, 3;
