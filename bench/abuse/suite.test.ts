/** Tests the suite against a small server, with a real attacker's process and other clients. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { homeFlood } from './attacks/http/pages.ts';
import { createHttpClient } from './clients/http-client.ts';
import { startRecorder } from './clients/recorder.ts';
import type { Testbed } from './instance/testbed.ts';
import { runSuite } from './suite.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** Opens a testbed with one client. During an attack its server serves other clients only if `isFair`. */
async function openSmallTestbed(isFair: boolean): Promise<Testbed> {
  let isAttacked = false;
  const server = createServer(({ socket, url }, response) => {
    const isAttacker = /^127\.0\.[234]\./.test(socket.remoteAddress ?? '');
    isAttacked ||= isAttacker;
    response.statusCode = isAttacker || isFair || !isAttacked || url === '/health' ? 200 : 503;
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = createHttpClient(url);
  const person = { address: '127.0.1.1', userId: '', email: '', accessToken: '', refreshToken: '' };
  const readPage = ({ address }: typeof person) => send({ address, path: '/page' });
  const recorder = startRecorder(
    [{ service: 'pages', name: 'read', perSecond: 20, run: readPage }],
    [person],
  );
  opened.push(server, { close: () => server.closeAllConnections() }, { close: () => recorder.stop() });
  return {
    anonKey: '',
    clients: {
      begin: async () => recorder.begin(),
      end: () => recorder.end(),
      stop: async () => recorder.stop(),
    },
    target: () => ({
      url,
      pid: process.pid,
      postmasterPid: process.pid,
      readStall: async () => ({ stallMs: 0, stallByClockMs: 0 }),
      readLog: () => [],
      ended: () => undefined,
      stop: async () => undefined,
    }),
    restart: async () => undefined,
    addAccounts: async () => [],
    addVictims: async () => [],
    countMessages: async () => ({ mails: 0, sms: 0 }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Runs the suite. Doubles the duration on a machine too busy for a single response in that time. */
async function attackFor(seconds: number, isFair: boolean) {
  const lines: string[] = [];
  const figures = await runSuite({
    attacks: [homeFlood],
    seconds,
    print: (line) => lines.push(line),
    open: () => openSmallTestbed(isFair),
    warmUpMs: 100,
  });
  if (figures.results[0]?.responses[200] === undefined) return attackFor(2 * seconds, isFair);
  return { ...figures, lines };
}

it.each([
  ['succeeds if the requests of other clients succeed', true, []],
  [
    'fails if the requests of other clients are rejected',
    false,
    [expect.stringMatching(/^pages: (\d+) of \d+ failed \(read: 503 ×\1\)$/)],
  ],
])('an attack of half a second %s', async (_, isFair, missed) => {
  const { baseline, results, lines } = await attackFor(0.5, isFair);
  expect(baseline).toMatchObject([{ latencies: { pages: { errors: 0 } } }]);
  const [result] = results;
  // Latencies depend on the machine.
  expect(result?.missed.filter((problem) => !problem.includes('p99'))).toEqual(missed);
  // Delays of a busy machine repeat an attack.
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const line of lines.slice(2)) expect(line).toContain('http/home');
});
