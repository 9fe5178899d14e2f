/** `Supabase.ai.Session`, with a real host of models over sockets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FunctionsServer } from '../testing/functions-server.ts';
import { ModelHost } from '../testing/model-host.ts';

const KEY = 'sk-of-the-operator';

const FILES = {
  'model/index.ts': `
    const atTopLevel = new Supabase.ai.Session('gte-small');
    Deno.serve(async (request) => {
      const { model, prompt, options = {}, parts = Infinity, abortsAfter } = await request.json();
      const session = model === 'gte-small' ? atTopLevel : new Supabase.ai.Session(model);
      if (abortsAfter !== undefined) options.signal = AbortSignal.timeout(abortsAfter);
      const received = [];
      try {
        const output = await session.run(prompt, options);
        if (options.stream !== true) return Response.json(output);
        for await (const part of output) {
          received.push(part);
          if (received.length >= parts) break;
        }
        return Response.json(received);
      } catch (error) {
        return Response.json({ received: received.length, name: error.name, message: error.message });
      }
    });`,
  'environment/index.ts': 'Deno.serve(() => Response.json(Deno.env.toObject()));',
  'socket/index.ts': `Deno.serve(async (request) => {
    const path = Deno.env.get('TMPDIR') + '/llm.sock';
    const client = Deno.createHttpClient({ proxy: { transport: 'unix', path } });
    const { path: requested, method, body } = await request.json();
    try {
      const { status } = await fetch('http://models.invalid' + requested, { method, body, client });
      return Response.json(status);
    } catch {
      return Response.json('connection closed');
    }
  });`,
};

let host: ModelHost;
let server: FunctionsServer;

beforeAll(async () => {
  host = await ModelHost.open();
  server = await FunctionsServer.open({
    files: FILES,
    settings: {
      GREENROOM_FUNCTIONS_AI_URL: host.url,
      GREENROOM_FUNCTIONS_AI_KEY: KEY,
      GREENROOM_FUNCTIONS_AI_EMBEDDING_MODEL: 'thenlper/gte-small',
    },
  });
}, 30_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const call = async (name: string, body: object, running = server): Promise<unknown> =>
  (await running.call(name, { method: 'POST', body: JSON.stringify(body) })).json();
const run = (options: object, running = server) => call('model', options, running);

const MESSAGES = { messages: [{ role: 'user', content: 'Hi' }], temperature: 0 };

it('a chat completion of OpenAI has the body of the function, and the key of the server', async () => {
  const output = await run({ model: 'llama', prompt: MESSAGES, options: { mode: 'openaicompatible' } });
  expect(output).toEqual({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] });
  expect(host.requests.at(-1)).toEqual({
    path: '/v1/chat/completions',
    authorization: `Bearer ${KEY}`,
    body: { model: 'llama', stream: false, ...MESSAGES },
  });
});

it('a text is a message of the user', async () => {
  await run({ model: 'llama', prompt: 'Hi', options: { mode: 'openaicompatible' } });
  expect(host.requests.at(-1)?.body).toMatchObject({ messages: [{ role: 'user', content: 'Hi' }] });
});

it('a stream of OpenAI is an iterator of its parts, with the usage after the last word', async () => {
  const options = { mode: 'openaicompatible', stream: true };
  const parts = (await run({ model: 'llama', prompt: MESSAGES, options })) as object[];
  expect(parts.slice(0, 2)).toEqual(
    ['Hel', 'lo'].map((content) => ({ choices: [{ delta: { content }, finish_reason: null }] })),
  );
  expect(parts.at(-1)).toEqual({ choices: [], usage: { total_tokens: 7 } });
});

it('the protocol of Ollama is the default', async () => {
  expect(await run({ model: 'mistral', prompt: 'Hi' })).toEqual({ response: 'Hello', done: true });
  expect(host.requests.at(-1)).toMatchObject({
    path: '/api/generate',
    body: { model: 'mistral', stream: false, prompt: 'Hi' },
  });
});

it('a stream of Ollama is an iterator of its lines', async () => {
  const parts = (await run({ model: 'mistral', prompt: 'Hi', options: { stream: true } })) as object[];
  expect(parts).toEqual([
    { response: 'Hel', done: false },
    { response: 'lo', done: false },
    { response: '', done: true },
  ]);
});

it('gte-small returns a vector of the configured model, with length 1 unless the function refuses that', async () => {
  expect(
    await run({ model: 'gte-small', prompt: 'Hi', options: { mean_pool: true, normalize: true } }),
  ).toEqual([0.6, 0, 0.8]);
  expect(await run({ model: 'gte-small', prompt: 'Hi', options: { normalize: false } })).toEqual([3, 0, 4]);
  expect(host.requests.at(-1)).toMatchObject({
    path: '/v1/embeddings',
    body: { model: 'thenlper/gte-small', input: 'Hi' },
  });
});

it.each([
  ['a model that the host does not have', { model: 'unknown', prompt: 'Hi' }, /status 404: model not found$/],
  [
    'an error in a stream',
    { model: 'fails-later', prompt: 'Hi', options: { stream: true } },
    /out of memory$/,
  ],
  [
    'a stream that breaks off',
    { model: 'breaks-off', prompt: 'Hi', options: { stream: true, mode: 'openaicompatible' } },
    /ended early$/,
  ],
  ['a redirect', { model: 'redirects', prompt: 'Hi' }, /status 502: the host redirects to another URL$/],
  [
    'another mode',
    { model: 'x', prompt: 'Hi', options: { mode: 'other' } },
    /must be ollama or openaicompatible$/,
  ],
  [
    'a vector for each word',
    { model: 'gte-small', prompt: 'Hi', options: { mean_pool: false } },
    /mean_pool must be true/,
  ],
])('run rejects for %s', async (_case, options, message) => {
  expect(await run(options)).toMatchObject({ message: expect.stringMatching(message) });
});

it.each([
  ['timeout', { options: { timeout: 0.3 } }],
  ['signal', { abortsAfter: 300 }],
])('%s ends a request that gets no response, also at the host', async (_name, settings) => {
  const before = host.abandoned.length;
  expect(await run({ model: 'silent', prompt: 'Hi', ...settings })).toMatchObject({ name: 'TimeoutError' });
  await expect.poll(() => host.abandoned.slice(before)).toEqual(['silent']);
});

it('a function that leaves a stream ends it at the host', async () => {
  const output = await run({ model: 'endless', prompt: 'Hi', options: { stream: true }, parts: 2 });
  expect(output).toHaveLength(2);
  await expect.poll(() => host.abandoned).toContain('endless');
});

it('the environment of functions has neither the key nor the address of the host', async () => {
  const environment = JSON.stringify(await call('environment', {}));
  for (const secret of [KEY, host.url.slice('http://'.length)]) expect(environment).not.toContain(secret);
});

it.each([
  ['GET', '/v1/models', undefined, 404],
  ['POST', '/api/delete', '{}', 404],
  ['POST', '/v1/embeddings', 'x'.repeat(16 * 1024 * 1024 + 1), 413],
])('%s %s is refused on the way to the host', async (method, path, body, status) => {
  const before = host.requests.length;
  // A client that still sends may get no response.
  expect([status, 'connection closed']).toContain(await call('socket', { path, method, body }));
  expect(host.requests).toHaveLength(before);
});

describe('without a reachable host', () => {
  it('a function starts, and run rejects with the setting and the alternative', async () => {
    await using alone = await FunctionsServer.open({ files: FILES });
    for (const model of ['gte-small', 'mistral'])
      expect(await run({ model, prompt: 'Hi' }, alone)).toMatchObject({
        message:
          'Supabase.ai.Session has no host of models. Set GREENROOM_FUNCTIONS_AI_URL on the server, or call the API of a model with fetch instead.',
      });
  });

  it('the log has the reason why the configured host cannot be reached', async () => {
    const settings = { GREENROOM_FUNCTIONS_AI_URL: 'http://127.0.0.1:9' };
    await using away = await FunctionsServer.open({ files: FILES, settings });
    expect(await run({ model: 'mistral', prompt: 'Hi' }, away)).toMatchObject({
      message: expect.stringContaining('status 502: the host cannot be reached'),
    });
    expect(away.lastFailure()).toBeDefined();
  });

  it('AI_INFERENCE_API_HOST among the secrets names another one, within the networks of functions', async () => {
    const options = { files: FILES, secrets: { AI_INFERENCE_API_HOST: host.url } };
    await using closed = await FunctionsServer.open(options);
    expect(await run({ model: 'mistral', prompt: 'Hi' }, closed)).toMatchObject({
      message: expect.stringMatching(/AI_INFERENCE_API_HOST cannot be reached.*GREENROOM_FUNCTIONS_AI_URL/s),
    });
    const settings = { GREENROOM_FUNCTIONS_PRIVATE_NETWORKS: '127.0.0.1' };
    await using open = await FunctionsServer.open({ ...options, settings });
    expect(await run({ model: 'mistral', prompt: 'Hi' }, open)).toEqual({ response: 'Hello', done: true });
    expect(host.requests.at(-1)?.authorization).toBeUndefined();
  });
});
