import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from './index.ts';

const CHANNEL = 'odd "channel"';
let database: TestDatabase;
let listener: Listener | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => listener?.close());
afterAll(() => database.drop());

/** Records the callbacks of a listener in order. */
function follow({ url = database.url, initialDelayMs = 1 } = {}): {
  events: readonly string[];
  next(): Promise<string>;
} {
  const events: string[] = [];
  let wake = () => {};
  const record = (event: string) => {
    events.push(event);
    wake();
  };
  listener = listen({
    url,
    channel: CHANNEL,
    applicationName: 'test listener',
    initialDelayMs,
    onNotification: (payload) => record(`heard ${payload}`),
    onListening: () => record('listening'),
    onLost: (_error, pauseMs) => record(`lost, ${pauseMs}`),
  });
  return {
    events,
    async next() {
      while (events.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return events.shift() ?? '';
    },
  };
}

const notify = (payload: string) =>
  database.admin.query({ text: 'select pg_notify($1, $2)', values: [CHANNEL, payload] });

const listeners = () =>
  database.admin.query<{ pid: number }>({
    text: "select pid from pg_stat_activity where application_name = 'test listener'",
  });

describe('listen', () => {
  it('reports notifications, also without a payload', async () => {
    const events = follow();
    expect(await events.next()).toBe('listening');
    await notify('one');
    await notify('');
    expect([await events.next(), await events.next()]).toEqual(['heard one', 'heard ']);
  });

  it('reconnects after the connection was lost, once for each loss', async () => {
    const events = follow();
    expect(await events.next()).toBe('listening');
    const terminate = {
      text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test listener'",
    };
    for (const _ of [1, 2]) {
      await database.admin.query(terminate);
      expect([await events.next(), await events.next()]).toEqual(['lost, 1', 'listening']);
    }
    await notify('again');
    expect(await events.next()).toBe('heard again');
  });

  it('increases the delay after each failure', async () => {
    const events = follow({ url: 'postgres://missing:wrong@127.0.0.1:1/none' });
    expect([await events.next(), await events.next(), await events.next()]).toEqual([
      'lost, 1',
      'lost, 2',
      'lost, 4',
    ]);
  });

  it('reconnects after a temporarily unreadable certificate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-listen-'));
    const certificate = join(folder, 'root.crt');
    await writeFile(certificate, '');
    const events = follow({ url: `${database.url}?sslmode=disable&sslrootcert=${certificate}` });
    expect(await events.next()).toBe('listening');
    await rm(certificate);
    const text =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test listener'";
    await database.admin.query({ text });
    expect([await events.next(), await events.next()]).toEqual(['lost, 1', 'lost, 2']);
    await writeFile(certificate, '');
    await expect.poll(() => events.next()).toBe('listening');
    await rm(folder, { recursive: true });
  });

  it('reports no notifications after it was closed, and leaves no connection', async () => {
    const events = follow();
    expect(await events.next()).toBe('listening');
    await listener?.close();
    while ((await listeners()).length > 0);
    await notify('nobody hears this');
    expect(events.events).toEqual([]);
  });

  it('can be closed before it is connected', async () => {
    follow();
    await listener?.close();
    while ((await listeners()).length > 0);
  });
});
