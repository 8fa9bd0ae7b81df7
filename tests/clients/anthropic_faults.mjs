// SPDX-License-Identifier: MIT
// The `@anthropic-ai/sdk` while upstreams fail.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { addFaults } from './faults.mjs';
import { baseURL, runAll, token } from './suite.mjs';

const client = new Anthropic({ baseURL, apiKey: token, maxRetries: 0, timeout: 60_000 });
const body = { max_tokens: 99, messages: [{ role: 'user', content: 'Which dock is free?' }] };

async function ask(model, stream, headers, seen = { text: '' }) {
  const answer = await client.messages.create({ model, stream, ...body }, { headers });
  if (!stream) return { text: answer.content[0].text };
  let ended = false;
  for await (const event of answer) {
    if (event.type === 'content_block_delta') seen.text += event.delta.text ?? '';
    if (event.type === 'message_stop') ended = true;
  }
  assert.ok(ended, 'F4: an answer that has no end is none');
  return seen;
}

async function abort(model, headers, leave, afterContent) {
  try {
    const answer = await client.messages.create({ model, stream: true, ...body }, { headers, signal: leave.signal });
    for await (const event of answer) if (event.type === 'content_block_delta') leave.abort();
    assert.ok(afterContent, 'nothing should have come');
    return null;
  } catch (error) {
    return error;
  }
}

addFaults('anthropic', { ask, abort, errors: { APIError: Anthropic.APIError, APIUserAbortError: Anthropic.APIUserAbortError,
  BadRequestError: Anthropic.BadRequestError,
  InternalServerError: Anthropic.InternalServerError, RateLimitError: Anthropic.RateLimitError } });
await runAll();
