import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedIn } from './testing/installed.ts';
import { startRegistry } from './testing/registry.ts';
import { writePackage } from './write-package.ts';

const OLDER = '1.0.0';
const NEWER = '1.1.0';
const CREDENTIALS = { email: 'ada@example.org', password: 'correct horse battery' };
const MINUTES = 60_000;

/** The tests are steps of one installation, and share its folder. */
describe('the package from a registry', { tags: ['trial'], timeout: 10 * MINUTES }, () => {
  let folder: string;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let installed: ReturnType<typeof installedIn>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-package-'));
    registry = await startRegistry(join(folder, 'registry'));
    await registry.publish(await writePackage({ version: OLDER, into: folder, log: () => {} }));
    const product = join(folder, 'product');
    await mkdir(product, { mode: 0o755 });
    installed = installedIn(product, registry.url);
  }, 10 * MINUTES);

  afterAll(async () => {
    await registry?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('installs into an empty folder, starts there and signs up a user', async () => {
    await installed.npm('install', 'greenroom');
    expect(await installed.greenroom('version')).toBe(`greenroom ${OLDER}\n`);
    await writeMigration(join(folder, 'product'), '20260101000000_todos.sql', TODOS);
    const instance = await installed.start();
    const client = createClient(instance.url, instance.anonKey, { auth: { persistSession: false } });
    const { data } = await client.auth.signUp(CREDENTIALS);
    expect(data.session).not.toBeNull();
    const { error } = await client.from('todos').insert({ text: 'install' });
    expect(error).toBeNull();
    expect(await (await fetch(`${instance.url}/login`)).text()).toContain('Sign in');
    await instance.end('SIGTERM');
  });

  it('starts again after it was killed', async () => {
    const killed = await installed.start();
    await killed.end('SIGKILL');
    const instance = await installed.start();
    expect(await todosOf(instance)).toEqual(['install']);
    await instance.end('SIGTERM');
  });

  it('runs a newer version on the data of an older one', async () => {
    await registry.publish(await writePackage({ version: NEWER, into: folder, log: () => {} }));
    expect(await installed.greenroom('upgrade')).toContain(
      `greenroom ${OLDER} → ${NEWER}\ndata folder: last started by ${OLDER}\n`,
    );
    expect(await installed.greenroom('version')).toBe(`greenroom ${OLDER}\n`);
    await installed.greenroom('upgrade', '--apply');
    expect(await installed.greenroom('version')).toBe(`greenroom ${NEWER}\n`);
    const instance = await installed.start();
    expect(await todosOf(instance)).toEqual(['install']);
    await instance.end('SIGTERM');
  });

  it('leaves nothing in the folder of the product except for packages and data', async () => {
    expect((await readdir(join(folder, 'product'))).toSorted()).toEqual([
      '.greenroom',
      'node_modules',
      'package-lock.json',
      'package.json',
      'state',
      'supabase',
    ]);
  });
});

const TODOS = `
create table public.todos (text text not null, owner uuid not null default auth.uid());
alter table public.todos enable row level security;
create policy own on public.todos using (owner = auth.uid());
`;

async function writeMigration(product: string, name: string, sql: string): Promise<void> {
  const migrations = join(product, 'supabase', 'migrations');
  await mkdir(migrations, { recursive: true });
  await writeFile(join(product, 'supabase', 'config.toml'), '');
  await writeFile(join(migrations, name), sql);
}

/** Signs in and returns the user's rows. */
async function todosOf({ url, anonKey }: { url: string; anonKey: string }): Promise<string[]> {
  const client = createClient(url, anonKey, { auth: { persistSession: false } });
  const { error } = await client.auth.signInWithPassword(CREDENTIALS);
  expect(error).toBeNull();
  const { data } = await client.from('todos').select('text');
  return (data ?? []).map(({ text }) => text);
}
