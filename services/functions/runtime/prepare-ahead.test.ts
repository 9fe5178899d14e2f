/** Functions are prepared after the start and after changes, without a request. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from '../testing/functions-server.ts';

const FILES = {
  '_shared/word.ts': 'export const word = "one";',
  'first/index.ts': 'Deno.serve(() => new Response("first"));',
  'second/index.ts': `import { word } from '../_shared/word.ts';
    Deno.serve(() => new Response(word));`,
  'broken/index.ts': 'import "./nothing.ts";',
};

/** Level of warnings in the log. */
const WARNING = 40;

let server: FunctionsServer;

beforeAll(async () => {
  server = await FunctionsServer.open({ files: FILES, preparesAhead: true });
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

/** Returns the numbers of preparations so far. */
const preparations = async () => {
  const { values } = await server.metrics.preparations.get();
  const of = (result: string) => values.find(({ labels }) => labels.result === result)?.value ?? 0;
  return { successes: of('success'), failures: of('failure') };
};
const warnings = () => server.lines.filter(({ msg }) => msg === 'the function cannot be prepared');
const textOf = async (name: string) => (await server.call(name)).text();

it('prepares all functions after the start, and starts none', async () => {
  await expect.poll(preparations).toEqual({ successes: 2, failures: 1 });
  expect(['first', 'second'].map((name) => server.pidOf(name))).toEqual([undefined, undefined]);
});

it('logs one warning with the reason for a function that cannot be prepared', async () => {
  await expect
    .poll(warnings)
    .toEqual([
      expect.objectContaining({ function: 'broken', reason: expect.stringContaining('nothing.ts') }),
    ]);
});

it('leaves nothing to prepare to the first request', async () => {
  const before = await preparations();
  expect([await textOf('first'), await textOf('second')]).toEqual(['first', 'one']);
  expect(await preparations()).toEqual(before);
});

it('prepares functions whose files have changed, also those without a process', async () => {
  const { successes } = await preparations();
  await server.write('_shared/word.ts', 'export const word = "two";');
  await expect.poll(async () => (await preparations()).successes).toBe(successes + 1);
  await server.write('third/index.ts', 'Deno.serve(() => new Response("third"));');
  await expect.poll(async () => (await preparations()).successes).toBe(successes + 2);
  expect([await textOf('second'), await textOf('third')]).toEqual(['two', 'third']);
  expect((await preparations()).successes).toBe(successes + 2);
  expect(warnings()).toHaveLength(1);
});

it('ends a preparation that runs when it is closed, and logs no failure', async () => {
  const closing = await FunctionsServer.open({
    files: { 'endless/index.ts': 'await new Promise((resolve) => setTimeout(resolve, 60_000));' },
    preparesAhead: true,
  });
  await expect.poll(() => closing.isPrepared('endless')).toBe(true);
  await closing[Symbol.asyncDispose]();
  const { values } = await closing.metrics.preparations.get();
  expect(values.map(({ labels, value }) => [labels.result, value])).toEqual([['failure', 1]]);
  expect(closing.lines.filter(({ level }) => level >= WARNING)).toEqual([]);
});

it('prepares only requested functions with GREENROOM_FUNCTIONS_PREPARE_AHEAD=false', async () => {
  await using waiting = await FunctionsServer.open({
    files: FILES,
    settings: { GREENROOM_FUNCTIONS_PREPARE_AHEAD: 'false' },
    preparesAhead: true,
  });
  await waiting.call('first');
  const { values } = await waiting.metrics.preparations.get();
  expect(values.map(({ labels, value }) => [labels.result, value])).toEqual([['success', 1]]);
});
