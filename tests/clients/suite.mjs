// SPDX-License-Identifier: MIT
// What the suites of both SDKs share. Every case prints one JSON line: its name, and either what the rows in the database
// have to say about it or why it failed. The name goes along as X-Request-Id, by which the C++ side finds the row.
//
// Usage of every suite: node SUITE.mjs BASE_URL UPSTREAM_URL   (the token comes from SIGNALBOX_TEST_TOKEN)
import assert from 'node:assert/strict';

export const baseURL = process.argv[2];
export const token = process.env.SIGNALBOX_TEST_TOKEN;

/// The smallest PNG there is; 92 characters.
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pixelHeard = `image/png;${pixel.length}`;
export const photo = 'https://photos.invalid/dock.jpg?size=1';
export const schema = {
  type: 'object', properties: { dock: { type: 'integer' } }, required: ['dock'], additionalProperties: false,
};
export const dockTool = { name: 'look_up', description: 'Looks a dock up', parameters: schema };

/// `upstream` is `oa` or `an`: what the gateway's upstream speaks.
export const upstreams = ['oa', 'an'];
export const served = (endpoint) => ({ outcome: 'served', attempts: [`${endpoint} served 200`] });

/// What the upstream understood, without what the two protocols count differently.
export function heard(text) {
  const { turns, ...rest } = JSON.parse(text);
  assert.equal(turns[0], 'user');
  return rest;
}

const cases = [];
/// `run(headers)` sends one request with these headers and returns what its row must say.
export function test(name, run) {
  cases.push({ name, run });
}

async function runOne({ name, run }) {
  try {
    const row = await run({ 'X-Request-Id': name });
    console.log(JSON.stringify({ name, row }));
  } catch (error) {
    console.log(JSON.stringify({ name, error: `${error.stack ?? error}`, status: error.status ?? null }));
  }
}

export async function runAll(atATime = 6) {
  let next = 0;
  const worker = async () => {
    while (next < cases.length) await runOne(cases[next++]);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

/// Resolves when a request for this model has reached the upstream.
export async function upstreamHas(model) {
  for (;;) {
    const { seen } = await (await fetch(`${process.argv[3]}/seen/${model}`)).json();
    if (seen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/// The error that a promise ends with.
export async function failureOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  assert.fail('it should have failed');
}
