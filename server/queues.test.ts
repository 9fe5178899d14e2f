/** Queues through the official client, on a whole instance with the config.toml of a project. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseConfigFile } from '@greenroom/project/config-file';
import { freePort } from '@greenroom/testing';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allSettings, loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const CONFIG = '[api]\nschemas = ["public", "pgmq_public"]\n';
const MIGRATION = `
  create extension pgmq;
  select pgmq.create('orders');
  alter table pgmq.q_orders enable row level security;
  grant insert, select on pgmq.q_orders to authenticated;
  create policy "own orders" on pgmq.q_orders to authenticated using (message ->> 'customer' = (select auth.uid())::text);
`;

let folder: string;
let running: Greenroom;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-queues-'));
  const files = { 'config.toml': CONFIG, 'migrations/1_orders.sql': MIGRATION };
  for (const [path, content] of Object.entries(files)) {
    const location = join(folder, 'supabase', path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, content);
  }
  const project = { folder, supabaseFolder: join(folder, 'supabase') };
  const { projectKeys, problems } = parseConfigFile(CONFIG, project, {
    settings: allSettings,
    variable: () => undefined,
  });
  expect(problems).toEqual([]);
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: join(folder, '.greenroom'),
    GREENROOM_MAILBOX_ENABLED: 'false',
    LOG_LEVEL: 'silent',
    PGRST_DB_SCHEMAS: 'public,pgmq_public',
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
  });
  running = await startGreenroom({
    config,
    project: { project, name: 'queues', ...projectKeys.database },
    pages: 'none',
  });
});
afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

const clientWith = (key: string | undefined) =>
  createClient(running.url, key ?? '', { auth: { persistSession: false } });

it('the service role sends, reads, archives, deletes and pops messages', async () => {
  const queues = clientWith(running.backend?.apiKeys.serviceRole).schema('pgmq_public');
  const call = async (name: string, values: Record<string, unknown> = {}) => {
    const { data, error } = await queues.rpc(name, { queue_name: 'orders', ...values });
    expect(error).toBeNull();
    return data;
  };
  expect(await call('send', { message: { n: 1 } })).toEqual([1]);
  expect(await call('send_batch', { messages: [{ n: 2 }, { n: 3 }, { n: 4 }] })).toEqual([2, 3, 4]);
  expect(await call('send', { message: { n: 5 }, sleep_seconds: 600 })).toEqual([5]);
  expect(await call('read', { sleep_seconds: 600, n: 2 })).toEqual(
    [1, 2].map((n) => ({
      msg_id: n,
      read_ct: 1,
      enqueued_at: expect.any(String),
      vt: expect.any(String),
      message: { n },
      headers: null,
    })),
  );
  expect(await call('archive', { message_id: 1 })).toBe(true);
  expect(await call('delete', { message_id: 2 })).toBe(true);
  expect(await call('delete', { message_id: 2 })).toBe(false);
  expect(await call('pop')).toMatchObject([{ msg_id: 3 }]);
  expect(await call('pop')).toMatchObject([{ msg_id: 4 }]);
  expect(await call('pop')).toEqual([]);
});

it('users have the rights that the project grants them on the queue', async () => {
  const client = clientWith(running.backend?.apiKeys.anon);
  const send = (customer: string) =>
    client.schema('pgmq_public').rpc('send', { queue_name: 'orders', message: { customer } });
  expect((await send('anyone')).error).toMatchObject({ code: '42501' });
  const { data } = await client.auth.signUp({ email: 'ada@example.org', password: 'correct horse' });
  const id = data.user?.id ?? '';
  expect((await send(id)).error).toBeNull();
  expect((await send('another')).error).toMatchObject({ code: '42501' });
  const popped = await client.schema('pgmq_public').rpc('pop', { queue_name: 'orders' });
  expect(popped.error).toMatchObject({ code: '42501', message: 'permission denied for table q_orders' });
});

it('the functions of pgmq itself are not part of the API', async () => {
  const { error } = await clientWith(running.backend?.apiKeys.serviceRole)
    .schema('pgmq')
    .rpc('create', { queue_name: 'other' });
  expect(error).toMatchObject({ code: 'PGRST106' });
});
