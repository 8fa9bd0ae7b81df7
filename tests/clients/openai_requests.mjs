// SPDX-License-Identifier: MIT
// Sends a fixed mix of requests through the real `openai` SDK, as many developers would, and prints one JSON line for
// each: what was asked, what came back and which decision the gateway named. The C++ side compares it with PostgreSQL.
//
// Usage: node openai_requests.mjs BASE_URL COUNT CONCURRENCY   (the token comes from SIGNALBOX_TEST_TOKEN)
import OpenAI from 'openai';

const [baseURL, count, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const client = new OpenAI({ baseURL, apiKey: process.env.SIGNALBOX_TEST_TOKEN, maxRetries: 0, timeout: 60_000 });

const tool = {
  type: 'function',
  function: { name: 'book', parameters: { type: 'object', properties: { dock: { type: 'string' } } } },
};
// Each kind says what an operator would expect the gateway to find in it.
const kinds = [
  { name: 'tool_call', body: { tools: [tool], max_tokens: 120 }, workload: 'tool_call', length: 'short' },
  { name: 'structured', body: { response_format: { type: 'json_object' }, max_completion_tokens: 200 }, workload: 'structured_json', length: 'short' },
  { name: 'chat_uncapped', body: {}, workload: 'free_chat', length: 'long' },
  { name: 'chat_medium', body: { max_tokens: 400 }, workload: 'free_chat', length: 'medium' },
  { name: 'code_by_header', body: { max_tokens: 100 }, headers: { 'X-Signalbox-Category': 'code' }, workload: 'code_gen', length: 'short' },
  { name: 'length_by_header', body: { max_tokens: 10 }, headers: { 'X-Signalbox-Expected-Length': 'long' }, workload: 'free_chat', length: 'long' },
  { name: 'summary_by_metadata', body: { max_tokens: 100, metadata: { input_tokens: '5000', keep: 'me' } }, workload: 'summarization', length: 'short' },
];
const models = process.env.SIGNALBOX_TEST_MODELS.split(',');

async function send(index) {
  const kind = kinds[index % kinds.length];
  const model = models[index % models.length];
  const stream = index % 2 === 1;
  const body = { model, messages: [{ role: 'user', content: `Request ${index}: which dock is free?` }], stream, ...kind.body };
  if (stream && index % 4 === 1) body.stream_options = { include_usage: true };
  const { data, response } = await client.chat.completions
    .create(body, { headers: { 'X-Request-Id': `client-${index}`, ...kind.headers } })
    .withResponse();

  let text = '', chunks = 0, usage = null, finish = null;
  if (stream) {
    for await (const chunk of data) {
      chunks += 1;
      text += chunk.choices?.[0]?.delta?.content ?? '';
      finish = chunk.choices?.[0]?.finish_reason ?? finish;
      usage = chunk.usage ?? usage;
    }
  } else {
    text = data.choices[0].message.content ?? '';
    finish = data.choices[0].finish_reason;
    usage = data.usage;
    chunks = 1;
  }
  const header = (name) => response.headers.get(name);
  return {
    index, model, stream, kind: kind.name, workload: kind.workload, length: kind.length,
    asked_usage: !stream || Boolean(body.stream_options), usage, finish, chunks, characters: text.length,
    decision: header('x-signalbox-decision-id'), route: header('x-signalbox-route'),
    coverage: header('x-signalbox-coverage'), request_id: header('x-request-id'),
  };
}

let next = 0;
async function worker() {
  for (let index = next++; index < count; index = next++) {
    let line;
    try {
      line = await send(index);
    } catch (error) {
      line = { index, error: `${error.constructor.name}: ${error.message}`, status: error.status ?? null };
    }
    console.log(JSON.stringify(line));
  }
}
await Promise.all(Array.from({ length: concurrency }, worker));
