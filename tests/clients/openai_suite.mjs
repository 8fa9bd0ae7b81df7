// SPDX-License-Identifier: MIT
// The `openai` SDK against upstreams of both protocols, streaming or not, with tools or without.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { baseURL, dockTool, failureOf, heard, photo, pixel, pixelHeard, runAll, schema, served, test, token, upstreams } from './suite.mjs';

const client = new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: token, maxRetries: 0, timeout: 60_000 });
const tool = { type: 'function', function: { ...dockTool, strict: true } };
const usage = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 };

/// The whole completion, put together by the SDK where it streams.
async function complete(body, stream, headers) {
  if (!stream) return client.chat.completions.create(body, { headers });
  const run = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }, { headers });
  return run.finalChatCompletion();
}

function checkUsage(completion) {
  for (const [key, value] of Object.entries(usage)) assert.equal(completion.usage[key], value, key);
  assert.equal(completion.usage.prompt_tokens_details?.cached_tokens, 5);
}

function checkCalls(message, count) {
  const calls = message.tool_calls;
  assert.equal(calls.length, count);
  assert.equal(new Set(calls.map((call) => call.id)).size, count);
  assert.deepEqual(calls.map((call) => [call.type, call.function.name]), Array(count).fill(['function', 'look_up']));
  const wanted = [{ dock: 3 }, { dock: 4, note: '駅 "4"' }];
  assert.deepEqual(calls.map((call) => JSON.parse(call.function.arguments)), wanted.slice(0, count));
}

for (const upstream of upstreams) {
  const model = `plain-${upstream}`;
  const row = served(`${upstream}:fine`);
  for (const stream of [false, true]) {
    const name = (what) => `openai-${upstream}-${stream ? 'stream' : 'whole'}-${what}`;
    const user = { role: 'user', content: 'Which dock is free?' };

    // F30, F33: the upstream refuses max_tokens and whatever is ours.
    test(name('text'), async (headers) => {
      const completion = await complete({
        model, max_tokens: 50, temperature: 0.5, top_p: 0.9, stop: ['END'], user: 'ann',
        metadata: { category: 'code', expected_length: 'short' },
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [
            { type: 'text', text: 'What is this? 駅 🚂' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
            { type: 'image_url', image_url: { url: photo } },
          ] },
        ],
      }, stream, headers);
      assert.deepEqual(heard(completion.choices[0].message.content), {
        texts: ['What is this? 駅 🚂'], images: [pixelHeard, photo], system: 'Be brief.', max: 50, temperature: 0.5, top_p: 0.9,
        stop: ['END'], user: 'ann',
      });
      assert.equal(completion.choices[0].finish_reason, 'stop');
      assert.equal(completion.object, 'chat.completion');
      checkUsage(completion);
      return row;
    });

    // F22, F23. Not strict: of those this SDK parses the arguments when another call goes on, which an upstream that
    // interleaves calls does before they are whole.
    test(name('calls'), async (headers) => {
      const tools = [{ type: 'function', function: dockTool }];
      const completion = await complete({ model, messages: [user], tools, tool_choice: 'required' }, stream, headers);
      const [choice] = completion.choices;
      assert.equal(choice.finish_reason, 'tool_calls');
      assert.equal(choice.message.content, 'Looking.');
      checkCalls(choice.message, 2);
      checkUsage(completion);
      return { ...row, called: 2 };
    });

    test(name('one-call'), async (headers) => {
      const tool_choice = { type: 'function', function: { name: 'look_up' } };
      const completion = await complete({ model, messages: [user], tools: [tool], tool_choice, parallel_tool_calls: false }, stream, headers);
      checkCalls(completion.choices[0].message, 1);
      return { ...row, called: 1 };
    });

    // F28: nothing beside the calls.
    for (const [what, content] of [['null', null], ['empty', '']])
      test(name(`results-${what}`), async (headers) => {
        const call = (id, dock) => ({ id, type: 'function', function: { name: 'look_up', arguments: JSON.stringify({ dock }) } });
        const completion = await complete({
          model, max_tokens: 60, tools: [tool], messages: [
            user, { role: 'assistant', content, tool_calls: [call('a', 3), call('b', 4)] },
            { role: 'tool', tool_call_id: 'a', content: 'free' }, { role: 'tool', tool_call_id: 'b', content: 'taken' },
            { role: 'user', content: 'So?' },
          ],
        }, stream, headers);
        const said = heard(completion.choices[0].message.content);
        assert.deepEqual(said.texts.filter(Boolean), ['Which dock is free?', 'So?']);
        assert.deepEqual(said.calls, [['a', 'look_up', { dock: 3 }], ['b', 'look_up', { dock: 4 }]]);
        assert.deepEqual(said.results, [['a', 'free'], ['b', 'taken']]);
        assert.deepEqual(said.tools, [['look_up', 'Looks a dock up', true]]);
        return row;
      });

    // F32
    test(name('schema'), async (headers) => {
      const response_format = { type: 'json_schema', json_schema: { name: 'dock', strict: true, schema } };
      const completion = await complete({ model, messages: [user], response_format }, stream, headers);
      assert.deepEqual(JSON.parse(completion.choices[0].message.content), { dock: 3 });
      return row;
    });

    test(name('cut-short'), async (headers) => {
      const completion = await complete({ model, messages: [user], max_completion_tokens: 5 }, false, headers);
      assert.equal(completion.choices[0].finish_reason, 'length');
      return row;
    });

    // F26
    test(name('empty-tools'), async (headers) => {
      const tools = { tools: [], tool_choice: 'auto', parallel_tool_calls: false };
      const completion = await client.chat.completions.create({ model, messages: [user], ...tools, max_tokens: 9 }, { headers });
      assert.deepEqual(heard(completion.choices[0].message.content), { texts: [user.content], max: 9 });
      return row;
    });
  }

  // F9, F10: usage comes to the client that asked for it, and to nobody else; it is counted all the same.
  for (const asks of [false, true])
    test(`openai-${upstream}-usage-${asks ? 'asked' : 'unasked'}`, async (headers) => {
      const stream_options = asks ? { include_usage: true } : undefined;
      const body = { model, messages: [{ role: 'user', content: 'q' }], stream: true, stream_options };
      const chunks = [];
      for await (const chunk of await client.chat.completions.create(body, { headers })) chunks.push(chunk);
      const counted = chunks.filter((chunk) => chunk.usage);
      assert.equal(counted.length, asks ? 1 : 0);
      if (asks) {
        assert.deepEqual(chunks.at(-1).choices, []);
        assert.equal(chunks.at(-1).usage.total_tokens, 30);
      }
      assert.equal(chunks.filter((chunk) => chunk.choices[0]?.finish_reason).length, 1);
      return row;
    });

  test(`openai-models-${upstream}`, async () => {
    const ids = [];
    for await (const one of client.models.list()) ids.push(one.id);
    assert.ok(ids.includes(model), ids.join());
    assert.equal((await client.models.retrieve(model)).id, model);
    const missing = await failureOf(client.models.retrieve('nobody'));
    assert.ok(missing instanceof OpenAI.NotFoundError, `${missing}`);
    return null;
  });
}

// F24: a call without an index has its place in the array, for the client as for the record.
test('openai-no-index', async (headers) => {
  const body = { model: 'no-index', messages: [{ role: 'user', content: 'q' }], tools: [tool], stream: true };
  const deltas = [];
  for await (const chunk of await client.chat.completions.create(body, { headers })) deltas.push(...(chunk.choices[0]?.delta?.tool_calls ?? []));
  assert.deepEqual(deltas.map((delta) => [delta.index, JSON.parse(delta.function.arguments).dock]), [[0, 3], [1, 4]]);
  return { ...served('oa:no-index'), called: 2 };
});

// Anthropic demands a limit: who names none gets all that the model can write.
test('openai-no-limit', async (headers) => {
  const completion = await complete({ model: 'plain-an', messages: [{ role: 'user', content: 'q' }] }, false, headers);
  assert.equal(heard(completion.choices[0].message.content).max, 8765);
  return served('an:fine');
});

// What an upstream has no words for goes to one that has, and is refused where there is none.
test('openai-peculiar-refused', async (headers) => {
  const failure = await failureOf(client.chat.completions.create({ model: 'plain-an', seed: 7, messages: [{ role: 'user', content: 'q' }] }, { headers }));
  assert.ok(failure instanceof OpenAI.BadRequestError, `${failure}`);
  assert.match(failure.message, /seed/);
  return { outcome: 'refused' };
});
test('openai-peculiar-elsewhere', async (headers) => {
  const completion = await complete({ model: 'duo-an', seed: 7, messages: [{ role: 'user', content: 'q' }] }, false, headers);
  assert.equal(completion.choices[0].finish_reason, 'stop');
  return served('oa:fine');
});

test('openai-typed-errors', async (headers) => {
  const unknown = await failureOf(client.chat.completions.create({ model: 'nowhere', messages: [{ role: 'user', content: 'q' }] }));
  assert.ok(unknown instanceof OpenAI.NotFoundError && unknown.status === 404, `${unknown}`);
  const stranger = new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: 'wrong', maxRetries: 0 });
  const shut = await failureOf(stranger.models.list());
  assert.ok(shut instanceof OpenAI.AuthenticationError && shut.status === 401, `${shut}`);
  // The upstream's own 400 keeps its words.
  const bad = await failureOf(client.chat.completions.create({ model: 'plain-oa', messages: [{ role: 'judge', content: 'q' }] }, { headers }));
  assert.ok(bad instanceof OpenAI.BadRequestError && bad.status === 400, `${bad}`);
  assert.match(bad.message, /strict: role judge/);
  return { outcome: 'failed', attempts: ['oa:fine failed 400'] };
});

await runAll();
