// SPDX-License-Identifier: MIT
// The `openai` SDK while upstreams fail.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { addFaults } from './faults.mjs';
import { baseURL, dockTool, runAll, token } from './suite.mjs';

const client = new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: token, maxRetries: 0, timeout: 60_000 });
const messages = [{ role: 'user', content: 'Which dock is free?' }];

async function ask(model, stream, headers, seen = { text: '' }) {
  const answer = await client.chat.completions.create({ model, messages, stream }, { headers });
  if (!stream) return { text: answer.choices[0].message.content };
  let finish = null;
  for await (const chunk of answer) {
    seen.text += chunk.choices[0]?.delta?.content ?? '';
    finish = chunk.choices[0]?.finish_reason ?? finish;
  }
  assert.ok(finish, 'F4: an answer that has no end is none');
  return seen;
}

async function call(model, stream, headers) {
  const body = { model, messages, tools: [{ type: 'function', function: dockTool }] };
  const completion = stream
    ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }, { headers }).finalChatCompletion()
    : await client.chat.completions.create(body, { headers });
  assert.equal(completion.choices[0].finish_reason, 'tool_calls');
  return completion.choices[0].message.tool_calls.map((one) => JSON.parse(one.function.arguments));
}

async function abort(model, headers, leave, afterContent) {
  try {
    const answer = await client.chat.completions.create({ model, messages, stream: true }, { headers, signal: leave.signal });
    for await (const chunk of answer) if (chunk.choices[0]?.delta?.content) leave.abort();
    assert.ok(afterContent, 'nothing should have come');
    return null;
  } catch (error) {
    return error;
  }
}

addFaults('openai', { ask, call, abort, errors: OpenAI });
await runAll();
