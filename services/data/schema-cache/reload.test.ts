import { once } from 'node:events';
import { type ListenConnection, openListenConnection } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createSchemaCacheReloader,
  isReloadRequest,
  type ReloaderOptions,
  type SchemaCacheReloader,
} from './reload.ts';
import { keyOf, type SchemaCache } from './schema-cache.ts';

let database: TestDatabase;
let listening: ListenConnection;
let reloader: SchemaCacheReloader | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  listening = openListening(database.url);
  await run('create schema stage');
});
afterEach(async () => {
  await reloader?.close();
  await listening.close();
  reloader = undefined;
  await run('drop schema if exists stage, foyer cascade');
});

function openListening(url: string): ListenConnection {
  const applicationName = 'test listening';
  const onSubscriberError = (error: unknown) => {
    throw error;
  };
  return openListenConnection({ url, applicationName, onSubscriberError, initialDelayMs: 1 });
}

type Events = ReturnType<typeof startReloader>;

/** Starts a reloader and returns the caches and log messages that it reports. */
function startReloader(changed: Partial<ReloaderOptions> = {}) {
  const caches: SchemaCache[] = [];
  const messages: string[] = [];
  const events = new EventTarget();
  const log = (_fields: unknown, text?: string) => {
    messages.push(text ?? '');
    events.dispatchEvent(new Event('report'));
  };
  reloader = createSchemaCacheReloader({
    database: database.auth,
    listen: listening.subscribe.bind(listening),
    channel: 'pgrst',
    settings: () => ({ schemas: ['stage'], extraSearchPath: [] }),
    onReload: (cache) => {
      caches.push(cache);
      events.dispatchEvent(new Event('report'));
    },
    logger: { info: log, warn: log, error: log } as ReloaderOptions['logger'],
    initialDelayMs: 1,
    ...changed,
  });
  const waitUntil = async (condition: () => boolean) => {
    while (!condition()) await once(events, 'report');
  };
  return { caches, messages, waitUntil };
}

const run = (text: string) => database.admin.query({ text });
const notify = (payload: string) => run(`notify pgrst, '${payload}'`);
const hasRelation =
  ({ caches }: Events, name: string) =>
  () =>
    caches.at(-1)?.relations.has(keyOf({ schema: 'stage', name })) ?? false;

it.each([
  ['', true],
  ['reload schema', true],
  ['reload config', true],
  ['reload', false],
  ['reload schema ', false],
  ['Reload Schema', false],
])('recognizes the payload "%s" as a reload request: %s', (payload, expected) => {
  expect(isReloadRequest(payload)).toBe(expected);
});

describe('the schema cache keeper', () => {
  it('has no cache until the first load', async () => {
    const events = startReloader();
    expect(reloader?.current()).toBeUndefined();
    await events.waitUntil(() => events.caches.length > 0);
    expect(reloader?.current()).toBe(events.caches[0]);
    expect(reloader?.current()?.generation).toBe(1);
  });

  it('listens on the configured channel or on none', async () => {
    const events = startReloader({ channel: 'Changes' });
    await events.waitUntil(() => events.caches.length === 1);
    await run('create table stage.props (id int)');
    await run(`notify "Changes", 'reload schema'`);
    await events.waitUntil(hasRelation(events, 'props'));
    await reloader?.close();
    await listening.close();
    listening = openListening(database.url);
    const withoutChannel = startReloader({ channel: undefined });
    await withoutChannel.waitUntil(hasRelation(withoutChannel, 'props'));
    const connections = await run(
      "select from pg_stat_activity where application_name = 'test listening' and datname = current_database()",
    );
    expect(connections).toEqual([]);
    reloader?.reload();
    await withoutChannel.waitUntil(() => withoutChannel.caches.length === 2);
  });

  it.each(['reload schema', 'reload config', ''])('loads again on the payload "%s"', async (payload) => {
    const events = startReloader();
    await events.waitUntil(() => events.caches.length > 0);
    await run('create table stage.chair ()');
    await notify(payload);
    await events.waitUntil(hasRelation(events, 'chair'));
    expect(reloader?.current()?.generation).toBeGreaterThan(1);
  });

  it('contains the last of many changes', async () => {
    const events = startReloader();
    await events.waitUntil(() => events.caches.length > 0);
    const changes = Array.from({ length: 50 }, (_, index) => `create table stage.chair_${index} ()`);
    for (const change of changes) {
      await run(change);
      await notify('reload schema');
    }
    await events.waitUntil(hasRelation(events, 'chair_49'));
  });

  it('reloads after the connection of the listener was lost', async () => {
    const events = startReloader();
    await events.waitUntil(() => events.caches.length > 0);
    await run('create table stage.unheard ()');
    await run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'test listening' and datname = current_database()`,
    );
    await events.waitUntil(hasRelation(events, 'unheard'));
    expect(events.messages).toContain('notifications of schema changes are not received; reconnecting');
  });

  it('listens on the configured channel', async () => {
    const events = startReloader({ channel: 'My Channel' });
    await events.waitUntil(() => events.caches.length > 0);
    await run('create table stage.chair ()');
    await run(`notify "My Channel", 'reload schema'`);
    await events.waitUntil(hasRelation(events, 'chair'));
  });

  it('does not listen without a channel', async () => {
    const events = startReloader({ channel: undefined });
    await events.waitUntil(() => events.caches.length > 0);
    const connections = await run(
      "select from pg_stat_activity where application_name = 'test listening' and datname = current_database()",
    );
    expect(connections).toEqual([]);
    await run('create table stage.chair ()');
    reloader?.reload();
    await events.waitUntil(hasRelation(events, 'chair'));
  });

  it('loads even if it cannot listen', async () => {
    const unreachable = openListening('postgres://missing:wrong@127.0.0.1:1/none');
    const events = startReloader({ listen: unreachable.subscribe.bind(unreachable) });
    await events.waitUntil(() => events.caches.length > 0);
    expect(reloader?.current()?.generation).toBe(1);
    await unreachable.close();
  });

  it('keeps the old cache while loading fails, and retries', async () => {
    let isBroken = false;
    const settings = () => {
      if (isBroken) throw new Error('no settings');
      return { schemas: ['stage'], extraSearchPath: [] };
    };
    const events = startReloader({ settings });
    await events.waitUntil(() => events.caches.length > 0);
    isBroken = true;
    await run('create table stage.later ()');
    await notify('reload schema');
    await events.waitUntil(
      () =>
        events.messages.filter((text) => text === 'loading the schema cache failed; it is retried').length >
        1,
    );
    expect(reloader?.current()).toBe(events.caches[0]);
    isBroken = false;
    await events.waitUntil(hasRelation(events, 'later'));
  });

  it('applies changed settings', async () => {
    let schemas = ['stage'];
    const events = startReloader({ settings: async () => ({ schemas, extraSearchPath: [] }) });
    await events.waitUntil(() => events.caches.length > 0);
    await database.admin.batch([{ text: 'create schema foyer' }, { text: 'create table foyer.bar ()' }]);
    schemas = ['foyer'];
    reloader?.reload();
    await events.waitUntil(
      () => events.caches.at(-1)?.relations.has(keyOf({ schema: 'foyer', name: 'bar' })) ?? false,
    );
  });

  it('reports no cache after it is closed, even if a load was pending', async () => {
    const events = startReloader();
    await reloader?.close();
    reloader?.reload();
    await notify('reload schema');
    expect(events.caches).toEqual([]);
    expect(reloader?.current()).toBeUndefined();
  });
});
