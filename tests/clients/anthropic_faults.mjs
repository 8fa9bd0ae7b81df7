// SPDX-License-Identifier: MIT
// The `@anthropic-ai/sdk` while upstreams fail.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { addFaults } from './faults.mjs';
import { baseURL, dockTool, runAll, token } from './suite.mjs';

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

async function call(model, stream, headers) {
  const asked = { model, ...body, tools: [{ name: dockTool.name, input_schema: dockTool.parameters }] };
  const message = stream ? await client.messages.stream(asked, { headers }).finalMessage() : await client.messages.create(asked, { headers });
  assert.equal(message.stop_reason, 'tool_use');
  return message.content.filter((block) => block.type === 'tool_use').map((block) => block.input);
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

addFaults('anthropic', { ask, call, abort, errors: Anthropic });
await runAll();
