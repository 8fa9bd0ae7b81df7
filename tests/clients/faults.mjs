// SPDX-License-Identifier: MIT
// What both SDKs must say when the upstream fails, alone and with another one of the other protocol behind it. The fault
// stands in the model's name; every case has one of its own, so that no circuit of one case matters to another.
import assert from 'node:assert/strict';
import { failureOf, test, upstreamHas, upstreams } from './suite.mjs';

const other = { oa: 'an', an: 'oa' };
/// What the record says of an attempt that failed so: a status where one came.
const statusOf = { 500: 500, 429: 429, 529: 529, 400: 400, frame: { oa: 503, an: 529 } };
const statusIn = (fault, upstream) => statusOf[fault]?.[upstream] ?? statusOf[fault];
const providerOf = (fault, upstream) => (fault.includes('stall') ? `${upstream}_brisk` : upstream);

/// `ask(model, stream, headers, seen)` resolves to the text and rejects as the SDK does; `seen.text` is what came until then.
/// `call(model, stream, headers)` offers a tool and resolves to the arguments of its calls.
/// `abort(model, headers, leave, afterContent)` asks, leaves by itself behind content, and gives the error it ended with. `errors` are the SDK's classes.
export function addFaults(edge, { ask, call, abort, errors }) {
  for (const upstream of upstreams)
    for (const stream of [false, true]) {
      const tail = `${edge}-${stream ? 'stream' : 'whole'}`;
      const failed = (fault, named = fault) => {
        const status = statusIn(fault, upstream);
        return `${providerOf(fault, upstream)}:fault-${named}-${tail} failed${status ? ` ${status}` : ''}`;
      };
      const name = (what) => `${what}-${upstream}-${tail}`;

      // F1, F2, F3: nothing but lifecycle frames came, so that the other one answers and the client never knows.
      const beforeContent = ['500', '429', '529', 'frame', 'early', 'stall', ...(stream ? [] : ['late', 'latestall'])];
      for (const fault of beforeContent)
        test(name(`fallback-${fault}`), async (headers) => {
          const { text } = await ask(`duo-${fault}-${upstream}-${tail}`, stream, headers);
          assert.deepEqual(JSON.parse(text).texts, ['Which dock is free?']);
          return { outcome: 'served', attempts: [failed(fault), `${other[upstream]}:fine served 200`] };
        });

      // The same with tools. A 429 opens its circuit at once, so that this one needs an endpoint of its own.
      for (const fault of beforeContent)
        test(name(`fallback-tools-${fault}`), async (headers) => {
          const own = fault === '429' ? '429-tools' : fault;
          const calls = await call(`duo-${own}-${upstream}-${tail}`, stream, headers);
          assert.deepEqual(calls, [{ dock: 3 }, { dock: 4, note: '駅 "4"' }]);
          return { outcome: 'served', called: 2, attempts: [failed(fault, own), `${other[upstream]}:fine served 200`] };
        });

      // F4, F6, F7: content came; the text ends in an error and nothing else is put behind it.
      if (stream)
        for (const fault of ['late', 'latestall', 'lateframe'])
          test(name(`broken-${fault}`), async (headers) => {
            const seen = { text: '' };
            const failure = await failureOf(ask(`duo-${fault}-${upstream}-${tail}`, true, headers, seen));
            assert.ok(failure instanceof errors.APIError, `${failure}`);
            assert.ok(seen.text.length > 0 && !seen.text.endsWith('}'), seen.text);
            return { outcome: 'failed', attempts: [failed(fault)] };
          });

      // The request's own fault is not tried elsewhere.
      test(name('no-fallback-400'), async (headers) => {
        const failure = await failureOf(ask(`duo-400-${upstream}-${tail}`, stream, headers));
        assert.ok(failure instanceof errors.BadRequestError && failure.status === 400, `${failure}`);
        assert.match(failure.message, /scripted 400/);
        return { outcome: 'failed', attempts: [failed('400')] };
      });

      // Alone: a real HTTP status, and the SDK's own class of it (F1).
      const alone = {
        500: [errors.InternalServerError, 500],
        429: [errors.RateLimitError, 429],
        529: [errors.InternalServerError, 529],
        frame: [errors.InternalServerError, statusIn('frame', upstream)],
        early: [errors.InternalServerError, 502],
        stall: [errors.InternalServerError, 504],
      };
      for (const [fault, [wanted, status]] of Object.entries(alone))
        test(name(`alone-${fault}`), async (headers) => {
          const failure = await failureOf(ask(`solo-${fault}-${upstream}-${tail}`, stream, headers));
          assert.ok(failure instanceof wanted, `${failure}`);
          assert.equal(failure.status, status);
          if (fault === '429') assert.equal(failure.headers.get('retry-after'), '7');  // F46
          return { outcome: 'failed', attempts: [`${providerOf(fault, upstream)}:fault-${fault}-solo-${tail} failed`] };
        });
    }

  // F45: the client leaves, before the first content and behind it.
  for (const upstream of upstreams)
    for (const fault of ['stall', 'latestall'])
      test(`gone-${fault}-${upstream}-${edge}`, async (headers) => {
        const leave = new AbortController();
        const afterContent = fault === 'latestall';
        const asked = abort(`gone-${fault}-${upstream}-${edge}`, headers, leave, afterContent);
        if (!afterContent) {
          await upstreamHas(`fault-${fault}-gone-${upstream}-${edge}`);
          leave.abort();
        }
        const failure = await asked;
        assert.ok(!failure || failure instanceof errors.APIUserAbortError || failure.name === 'AbortError', `${failure}`);
        return { outcome: 'cancelled', attempts: [`${upstream}:fault-${fault}-gone-${upstream}-${edge} cancelled`] };
      });
}
