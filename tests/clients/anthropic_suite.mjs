// SPDX-License-Identifier: MIT
// The `@anthropic-ai/sdk` against upstreams of both protocols, streaming or not, with tools or without.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { baseURL, dockTool, failureOf, heard, photo, pixel, pixelHeard, runAll, schema, served, test, token, upstreams } from './suite.mjs';

const client = new Anthropic({ baseURL, apiKey: token, maxRetries: 0, timeout: 60_000 });
const tool = { name: dockTool.name, description: dockTool.description, input_schema: dockTool.parameters, strict: true };

/// The whole message, put together by the SDK where it streams.
async function complete(body, stream, headers) {
  if (!stream) return client.messages.create(body, { headers });
  const run = client.messages.stream(body, { headers });
  let begun;
  run.on('streamEvent', (event) => {
    if (event.type === 'message_start') begun = event.message;
  });
  const message = await run.finalMessage();
  assert.ok(begun.usage.input_tokens > 0, 'F20: message_start says how much was read');
  return message;
}

function checkUsage(message) {
  const { input_tokens, cache_read_input_tokens, output_tokens } = message.usage;
  assert.deepEqual({ input_tokens, cache_read_input_tokens, output_tokens }, { input_tokens: 16, cache_read_input_tokens: 5, output_tokens: 9 });
}

function checkCalls(message, count) {
  const calls = message.content.filter((block) => block.type === 'tool_use');
  assert.equal(calls.length, count);
  assert.equal(new Set(calls.map((call) => call.id)).size, count);
  const wanted = [['look_up', { dock: 3 }], ['look_up', { dock: 4, note: '駅 "4"' }]];
  assert.deepEqual(calls.map((call) => [call.name, call.input]), wanted.slice(0, count));
}

const textOf = (message) => message.content.filter((block) => block.type === 'text').map((block) => block.text).join('');

for (const upstream of upstreams) {
  const model = `plain-${upstream}`;
  const row = served(`${upstream}:fine`);
  for (const stream of [false, true]) {
    const name = (what) => `anthropic-${upstream}-${stream ? 'stream' : 'whole'}-${what}`;
    const user = { role: 'user', content: 'Which dock is free?' };

    test(name('text'), async (headers) => {
      const message = await complete({
        model, max_tokens: 50, temperature: 0.5, top_p: 0.9, stop_sequences: ['END'], metadata: { user_id: 'ann', category: 'code' },
        system: [{ type: 'text', text: 'Be brief.' }],
        messages: [{ role: 'user', content: [
          { type: 'text', text: 'What is this? 駅 🚂' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
          { type: 'image', source: { type: 'url', url: photo } },
        ] }],
      }, stream, headers);
      assert.deepEqual(heard(textOf(message)), {
        texts: ['What is this? 駅 🚂'], images: [pixelHeard, photo], system: 'Be brief.', max: 50, temperature: 0.5, top_p: 0.9,
        stop: ['END'], user: 'ann',
      });
      assert.equal(message.stop_reason, 'end_turn');
      assert.equal(message.type, 'message');
      assert.equal(message.role, 'assistant');
      checkUsage(message);
      return row;
    });

    // F22, F23
    test(name('calls'), async (headers) => {
      const message = await complete({ model, max_tokens: 50, messages: [user], tools: [tool], tool_choice: { type: 'any' } }, stream, headers);
      assert.equal(message.stop_reason, 'tool_use');
      assert.equal(textOf(message), 'Looking.');
      checkCalls(message, 2);
      checkUsage(message);
      return { ...row, called: 2 };
    });

    test(name('one-call'), async (headers) => {
      const tool_choice = { type: 'tool', name: 'look_up', disable_parallel_tool_use: true };
      checkCalls(await complete({ model, max_tokens: 50, messages: [user], tools: [tool], tool_choice }, stream, headers), 1);
      return { ...row, called: 1 };
    });

    test(name('results'), async (headers) => {
      const call = (id, dock) => ({ type: 'tool_use', id, name: 'look_up', input: { dock } });
      const message = await complete({
        model, max_tokens: 60, tools: [tool], messages: [
          user, { role: 'assistant', content: [call('a', 3), call('b', 4)] },
          { role: 'user', content: [
            { type: 'tool_result', tool_use_id: 'a', content: [
              { type: 'text', text: 'free' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }] },
            { type: 'tool_result', tool_use_id: 'b', content: 'no such dock', is_error: true },
            { type: 'text', text: 'So?' },
          ] },
        ],
      }, stream, headers);
      const said = heard(textOf(message));
      assert.deepEqual(said.texts.filter((text) => !text.startsWith('Image in')), ['Which dock is free?', 'So?']);
      assert.deepEqual(said.calls, [['a', 'look_up', { dock: 3 }], ['b', 'look_up', { dock: 4 }]]);
      assert.deepEqual(said.results, [['a', 'free'], ['b', 'Error: no such dock']]);
      assert.deepEqual(said.images, [pixelHeard]);
      assert.deepEqual(said.tools, [['look_up', 'Looks a dock up', true]]);
      return row;
    });

    // F32
    test(name('schema'), async (headers) => {
      const output_config = { format: { type: 'json_schema', schema } };
      const message = await complete({ model, max_tokens: 50, messages: [user], output_config }, stream, headers);
      assert.deepEqual(JSON.parse(textOf(message)), { dock: 3 });
      return row;
    });

    test(name('cut-short'), async (headers) => {
      const message = await complete({ model, max_tokens: 5, messages: [user] }, stream, headers);
      assert.equal(message.stop_reason, 'max_tokens');
      return row;
    });

    // F26
    test(name('empty-tools'), async (headers) => {
      const message = await complete({ model, max_tokens: 9, messages: [user], tools: [] }, stream, headers);
      assert.deepEqual(heard(textOf(message)), { texts: [user.content], max: 9 });
      return row;
    });
  }

  // F20: for every model, whatever its upstream speaks.
  test(`anthropic-count-${upstream}`, async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(200) }];
    const { input_tokens } = await client.messages.countTokens({ model, messages, system: 'Be brief.', tools: [tool] });
    if (upstream === 'an') assert.equal(input_tokens, 42);
    else assert.ok(input_tokens > 100 && input_tokens < 2000, `${input_tokens}`);
    return null;
  });

  test(`anthropic-models-${upstream}`, async () => {
    const ids = [];
    for await (const one of client.models.list({ limit: 3 })) ids.push(one.id);
    assert.ok(ids.includes(model), ids.join());
    assert.equal(new Set(ids).size, ids.length);
    const found = await client.models.retrieve(model);
    assert.equal(found.id, model);
    assert.equal(found.type, 'model');
    const missing = await failureOf(client.models.retrieve('nobody'));
    assert.ok(missing instanceof Anthropic.NotFoundError, `${missing}`);
    return null;
  });
}

// F23, F24: calls without an index, each in a block of its own.
test('anthropic-no-index', async (headers) => {
  const body = { model: 'no-index', max_tokens: 50, messages: [{ role: 'user', content: 'q' }], tools: [tool] };
  checkCalls(await complete(body, true, headers), 2);
  return { ...served('oa:no-index'), called: 2 };
});

test('anthropic-peculiar-refused', async (headers) => {
  const failure = await failureOf(client.messages.create({ model: 'plain-oa', max_tokens: 9, top_k: 5, messages: [{ role: 'user', content: 'q' }] }, { headers }));
  assert.ok(failure instanceof Anthropic.BadRequestError, `${failure}`);
  assert.match(failure.message, /top_k/);
  return { outcome: 'refused' };
});
test('anthropic-peculiar-elsewhere', async (headers) => {
  const message = await complete({ model: 'duo-oa', max_tokens: 9, top_k: 5, messages: [{ role: 'user', content: 'q' }] }, false, headers);
  assert.equal(message.stop_reason, 'end_turn');
  return served('an:fine');
});

test('anthropic-typed-errors', async (headers) => {
  const q = { max_tokens: 9, messages: [{ role: 'user', content: 'q' }] };
  const unknown = await failureOf(client.messages.create({ model: 'nowhere', ...q }));
  assert.ok(unknown instanceof Anthropic.NotFoundError && unknown.status === 404, `${unknown}`);
  assert.equal(unknown.error.type, 'error');
  assert.equal(unknown.error.error.type, 'not_found_error');
  const stranger = new Anthropic({ baseURL, apiKey: 'wrong', maxRetries: 0 });
  const shut = await failureOf(stranger.messages.create({ model: 'plain-oa', ...q }));
  assert.ok(shut instanceof Anthropic.AuthenticationError && shut.status === 401, `${shut}`);
  const bad = await failureOf(client.messages.create({ model: 'plain-an', max_tokens: 9, messages: [{ role: 'user', content: ' ' }] }, { headers }));
  assert.ok(bad instanceof Anthropic.BadRequestError && bad.status === 400, `${bad}`);
  assert.match(bad.message, /strict: content must be non-empty/);
  return { outcome: 'failed', attempts: ['an:fine failed 400'] };
});

await runAll();
