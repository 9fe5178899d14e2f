import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followTutorial } from '../tutorial/follow-tutorial.ts';
import { repositoryVersion } from './exports.ts';
import { ROOT } from './root.ts';
import { writeStarter } from './starter.ts';
import { installedIn } from './testing/installed.ts';
import { writePackage } from './write-package.ts';

const MINUTES = 60_000;
const NEWER = '99.0.0';
const CREDENTIALS = { email: 'ada@example.org', password: 'correct horse battery' };
const run = promisify(execFile);

const LOGIN = [
  "import Original from 'greenroom/app/routes/login';",
  "import type { ComponentProps } from 'react';",
  "export { action, handle, loader, meta } from 'greenroom/app/routes/login';",
  'export default function Login(props: ComponentProps<typeof Original>) {',
  '  return <><p>Welcome to the list club.</p><Original {...props} /></>;',
  '}',
].join('\n');
const NOT_FOUND = [
  "import { Page, PageHeader } from 'greenroom/app';",
  "import { data } from 'react-router';",
  'export function loader() { return data({}, { status: 404 }); }',
  'export default function NotFound() { return <Page><PageHeader title="No such list" /></Page>; }',
].join('\n');
const ACCOUNT = [
  "import { Page, PageHeader } from 'greenroom/app';",
  'export default function Account() { return <Page><PageHeader title="The desk of a member" /></Page>; }',
].join('\n');

/** The tests are steps of one newcomer, and share the product. */
describe('a newcomer with the tutorial', { tags: ['trial'], timeout: 20 * MINUTES }, () => {
  let folder: string;
  let product: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-newcomer-'));
    await chmod(folder, 0o711);
    product = join(folder, 'todos');
    const path = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.startsWith(ROOT));
    env = { HOME: join(folder, 'home'), PATH: path.join(delimiter), LANG: 'C.UTF-8' };
    await mkdir(join(folder, 'home'));
    const version = repositoryVersion();
    await writePackage({ version, into: folder, log: () => {} });
    await writeStarter({ version, into: folder });
  }, 10 * MINUTES);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const npx = async (...args: string[]) =>
    (await run('npx', ['--no-install', ...args], { cwd: product, env, maxBuffer: 1 << 26 })).stdout;

  it('does every step of the tutorial, and sees the output of the page', async () => {
    await followTutorial(folder, env, (line) => process.stdout.write(`${line}\n`));
    expect(await readdir(product)).toContain('database.types.ts');
  });

  it('upgrades the product with its data from one tarball to another', async () => {
    const installed = installedIn(product, 'https://registry.npmjs.org/');
    const before = await installed.start();
    const client = createClient(before.url, before.anonKey, { auth: { persistSession: false } });
    const { SERVICE_ROLE_KEY } = JSON.parse(await npx('greenroom', 'status', '-o', 'json'));
    const admin = createClient(before.url, SERVICE_ROLE_KEY, { auth: { persistSession: false } });
    // Sign-ups of the tutorial need a mail.
    await admin.auth.admin.createUser({ ...CREDENTIALS, email_confirm: true });
    expect((await client.auth.signInWithPassword(CREDENTIALS)).error).toBeNull();
    expect((await client.from('lists').insert({ name: 'Groceries' })).error).toBeNull();
    await before.end('SIGTERM');

    await writePackage({ version: NEWER, into: folder, log: () => {} });
    const tarball = `../greenroom-${NEWER}.tgz`;
    expect(await npx('greenroom', 'upgrade', tarball)).toContain(`→ ${NEWER}\n`);
    expect(await npx('greenroom', 'version')).not.toContain(NEWER);
    await npx('greenroom', 'upgrade', tarball, '--apply');
    expect(await npx('greenroom', 'version')).toBe(`greenroom ${NEWER}\n`);

    const after = await installed.start();
    const later = createClient(after.url, after.anonKey, { auth: { persistSession: false } });
    expect((await later.auth.signInWithPassword(CREDENTIALS)).error).toBeNull();
    expect((await later.from('lists').select('name')).data).toEqual([{ name: 'Groceries' }]);
    await after.end('SIGTERM');
  });

  it('replaces three pages of the package', async () => {
    const pages = { 'login.tsx': LOGIN, 'not-found.tsx': NOT_FOUND, 'account.tsx': ACCOUNT };
    for (const [name, content] of Object.entries(pages))
      await writeFile(join(product, 'app', 'routes', name), content);
    await npx('greenroom', 'build');
    const instance = await installedIn(product, 'https://registry.npmjs.org/').start();
    const login = await (await fetch(`${instance.url}/login`)).text();
    expect(login).toContain('Welcome to the list club.');
    expect(login).toContain('Sign in');
    const missing = await fetch(`${instance.url}/nowhere`);
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('No such list')]);
    await instance.end('SIGTERM');
    const built = await readdir(join(product, 'build'), { recursive: true, withFileTypes: true });
    const scripts = built.filter(({ name }) => /^account.*\.js$/.test(name));
    const texts = await Promise.all(
      scripts.map((file) => readFile(join(file.parentPath, file.name), 'utf8')),
    );
    expect(texts.some((text) => text.includes('The desk of a member'))).toBe(true);
  });
});
