import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ListenConnection, type Listener, listen, openListenConnection } from './index.ts';

const CHANNEL = 'odd "channel"';
const APPLICATION = 'test listener';
let database: TestDatabase;
let listener: Listener | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => listener?.close());
afterAll(() => database.drop());

/** Returns callbacks that record their calls in order. */
function recorder() {
  const events: string[] = [];
  let wake = () => {};
  const record = (event: string) => {
    events.push(event);
    wake();
  };
  return {
    events: events as readonly string[],
    async next() {
      while (events.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return events.shift() ?? '';
    },
    subscriber: {
      onNotification: (payload: string) => record(`heard ${payload}`),
      onListening: () => record('listening'),
      onLost: (_error: Error, pauseMs: number) => record(`lost, ${pauseMs}`),
    },
  };
}

/** Records the callbacks of a listener. */
function follow({ url = database.url, initialDelayMs = 1 } = {}) {
  const { events, next, subscriber } = recorder();
  listener = listen({ url, channel: CHANNEL, applicationName: APPLICATION, initialDelayMs, ...subscriber });
  return { events, next };
}

const notify = (payload: string, channel = CHANNEL) =>
  database.admin.query({ text: 'select pg_notify($1, $2)', values: [channel, payload] });

const terminate = () =>
  database.admin.query({
    text: 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    values: [APPLICATION],
  });

const listeners = () =>
  database.admin.query<{ pid: number }>({
    text: 'select pid from pg_stat_activity where application_name = $1',
    values: [APPLICATION],
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
    for (const _ of [1, 2]) {
      await terminate();
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
    await terminate();
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

describe('a connection with several subscribers', () => {
  let connection: ListenConnection;
  let errors: string[];

  beforeEach(() => {
    errors = [];
    connection = openListenConnection({
      url: database.url,
      applicationName: APPLICATION,
      initialDelayMs: 1,
      onSubscriberError: (error, channel) => errors.push(`${channel}: ${(error as Error).message}`),
    });
  });
  afterEach(() => connection.close());

  function subscribe(channel: string) {
    const { events, next, subscriber } = recorder();
    const subscription = connection.subscribe(channel, subscriber);
    return { events, next, close: () => subscription.close() };
  }

  it('is not opened before the first subscription', async () => {
    expect(await listeners()).toEqual([]);
  });

  it('reports each notification to the subscribers of its channel', async () => {
    const [one, two] = [subscribe('one'), subscribe('two')];
    expect([await one.next(), await two.next()]).toEqual(['listening', 'listening']);
    const again = subscribe('one');
    expect(await again.next()).toBe('listening');
    await notify('a', 'one');
    await notify('b', 'two');
    expect([await one.next(), await again.next(), await two.next()]).toEqual([
      'heard a',
      'heard a',
      'heard b',
    ]);
    expect(await listeners()).toHaveLength(1);
  });

  it('reports a loss and the reconnection to all', async () => {
    const subscribers = [subscribe('one'), subscribe('two')];
    const next = () => Promise.all(subscribers.map((each) => each.next()));
    expect(await next()).toEqual(['listening', 'listening']);
    await terminate();
    expect(await next()).toEqual(['lost, 1', 'lost, 1']);
    expect(await next()).toEqual(['listening', 'listening']);
    await notify('a', 'one');
    await notify('b', 'two');
    expect(await next()).toEqual(['heard a', 'heard b']);
  });

  it('continues after a subscriber throws', async () => {
    const fail = () => {
      throw new Error('no');
    };
    connection.subscribe('one', { onNotification: fail, onListening: fail, onLost: fail });
    const other = subscribe('one');
    expect(await other.next()).toBe('listening');
    await notify('a', 'one');
    expect(await other.next()).toBe('heard a');
    await terminate();
    expect([await other.next(), await other.next()]).toEqual(['lost, 1', 'listening']);
    expect(errors).toEqual(Array(4).fill('one: no'));
  });

  it('retries a channel that the server refuses, without an effect on others', async () => {
    const refused = subscribe('');
    expect([await refused.next(), await refused.next(), await refused.next()]).toEqual([
      'lost, 1',
      'lost, 2',
      'lost, 4',
    ]);
    const other = subscribe('one');
    expect(await other.next()).toBe('listening');
    await notify('a', 'one');
    expect(await other.next()).toBe('heard a');
    refused.close();
    expect(await listeners()).toHaveLength(1);
  });

  it('delivers notifications of a channel whose name PostgreSQL shortens', async () => {
    const channel = `${'a'.repeat(62)}ü`;
    const subscriber = subscribe(channel);
    expect(await subscriber.next()).toBe('listening');
    await database.admin.query({ text: `notify "${channel}", 'a'` });
    expect(await subscriber.next()).toBe('heard a');
  });

  it('reports nothing to a closed subscription', async () => {
    const [closed, open] = [subscribe('one'), subscribe('one')];
    expect([await closed.next(), await open.next()]).toEqual(['listening', 'listening']);
    closed.close();
    await notify('a', 'one');
    expect(await open.next()).toBe('heard a');
    await terminate();
    expect([await open.next(), await open.next()]).toEqual(['lost, 1', 'listening']);
    expect(closed.events).toEqual([]);
  });

  it('reconnects after a subscription during a pause has failed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-listen-'));
    const certificate = join(folder, 'root.crt');
    await writeFile(certificate, '');
    const url = `${database.url}?sslmode=disable&sslrootcert=${certificate}`;
    const unreadable = openListenConnection({
      url,
      applicationName: APPLICATION,
      initialDelayMs: 200,
      onSubscriberError: () => undefined,
    });
    const { next, subscriber } = recorder();
    unreadable.subscribe('one', subscriber);
    expect(await next()).toBe('listening');
    await rm(certificate);
    await terminate();
    expect(await next()).toBe('lost, 200');
    expect(() => unreadable.subscribe('two', recorder().subscriber)).toThrow('ENOENT');
    await writeFile(certificate, '');
    await expect.poll(() => next()).toBe('listening');
    await unreadable.close();
    await rm(folder, { recursive: true });
  });

  it('connects at once for a subscription during a pause', async () => {
    const slow = openListenConnection({
      url: database.url,
      applicationName: APPLICATION,
      initialDelayMs: 30_000,
      onSubscriberError: () => undefined,
    });
    const [first, second] = [recorder(), recorder()];
    slow.subscribe('one', first.subscriber);
    expect(await first.next()).toBe('listening');
    await terminate();
    expect(await first.next()).toBe('lost, 30000');
    slow.subscribe('two', second.subscriber);
    expect([await first.next(), await second.next()]).toEqual(['listening', 'listening']);
    await slow.close();
  });
});
