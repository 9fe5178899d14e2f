/** `greenroom doctor` on a project. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

interface PrintedResult {
  check: string;
  state: string;
  message: string;
  remedy?: string;
}

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': '', 'migrations/1_a.sql': 'create table a ();' });
});
afterAll(() => project[Symbol.asyncDispose]());

async function examine(env: Record<string, string> = {}) {
  const { code, output } = await project.run(['doctor', '-o', 'json'], { env });
  const results = JSON.parse(output) as PrintedResult[];
  return { code, results, problems: results.filter(({ state }) => state === 'problem') };
}

it('doctor has no finding on a new project, and creates nothing', async () => {
  expect(await examine()).toMatchObject({ code: 0, problems: [] });
  expect(await readdir(project.folder)).toEqual(['supabase']);
});

it('doctor reports a running instance, and the state of its migrations', async () => {
  await project.start();
  expect(await examine()).toMatchObject({ code: 0, problems: [] });
  await project.write('migrations/2_b.sql', 'create table b ();');
  await project.write('migrations/1_a.sql', 'create table a (id int);');
  const { code, output } = await project.run(['doctor']);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /^!! {2}migrations +migrations not applied: 2\n +→ Apply them: greenroom migration up\n!! {2}migrations +migrations edited after they were applied: 1\n/m,
    ),
  ]);
  expect(output).toMatch(/\n2 findings\n$/);
  expect(output).toMatch(/^ok {2}lock +an instance runs on the folder: pid \d+ at http:/m);
  await project.stop();
});

it('doctor names the setting of each server that does not respond, and what to do', async () => {
  const { code, problems } = await examine({
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: '1',
    GOTRUE_SMTP_ADMIN_EMAIL: 'a@example.com',
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    GREENROOM_PUBLIC_URL: 'https://greenroom.invalid',
  });
  expect([code, problems.map(({ check }) => check)]).toEqual([1, ['proxy', 'mail', 'object store']]);
  expect(problems.map(({ remedy }) => remedy)).toEqual([
    expect.stringContaining('GREENROOM_TRUST_PROXY'),
    expect.stringContaining('GOTRUE_SMTP_HOST'),
    expect.stringContaining('S3_ENDPOINT'),
  ]);
});

it('doctor requires no proxy for a server that speaks HTTPS', async () => {
  const { code, problems } = await examine({
    GREENROOM_TLS_ENABLED: 'true',
    GREENROOM_PUBLIC_URL: 'https://greenroom.invalid',
  });
  expect([code, problems]).toEqual([0, []]);
});

it('doctor checks an external database and its Redis', async () => {
  const { problems } = await examine({
    DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  expect(problems).toEqual([
    expect.objectContaining({ check: 'database', message: expect.stringContaining('cannot connect') }),
    expect.objectContaining({ check: 'Redis', message: expect.stringContaining('ECONNREFUSED') }),
  ]);
});

it('doctor finds files that others can read, a clock that went back, and a port that another program holds', async () => {
  const holder: Server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as { port: number };
  const keys = join(project.folder, '.greenroom', 'keys.json');
  const text = await readFile(keys, 'utf8');
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * 3600;
  await writeFile(keys, JSON.stringify({ ...JSON.parse(text), createdAt: tomorrow }));
  await chmod(keys, 0o644);
  try {
    const { problems } = await examine({ PORT: String(port) });
    expect(problems).toEqual([
      expect.objectContaining({ check: 'file modes', remedy: expect.stringContaining(`chmod 600 ${keys}`) }),
      expect.objectContaining({ check: 'clock', remedy: expect.stringContaining('Set the clock') }),
      expect.objectContaining({
        check: 'ports',
        message: expect.stringContaining(`port ${port} is in use by`),
      }),
    ]);
  } finally {
    holder.close();
    await writeFile(keys, text);
    await chmod(keys, 0o600);
  }
});

it('doctor reports an instance that was killed', async () => {
  await project.write('migrations/1_a.sql', 'create table a ();');
  const server = project.spawn(['start', '--services', 'auth']);
  await server.waitFor(/^ready /m);
  server.child.kill('SIGKILL');
  await new Promise((resolve) => server.child.once('close', resolve));
  const { problems } = await examine();
  expect(problems).toContainEqual(
    expect.objectContaining({ check: 'lock', message: expect.stringContaining('ended without a shutdown') }),
  );
});

it('doctor reports wrong settings and unknown keys with file and line', async () => {
  await project.write('config.toml', '[auth]\njwt_expiry = "x"\n');
  expect(await examine()).toMatchObject({
    code: 1,
    problems: [{ check: 'configuration', message: expect.stringContaining('supabase/config.toml:2') }],
  });
  await project.write('config.toml', '[auth]\nsite_ulr = "x"\n');
  const { problems } = await examine();
  expect(problems).toContainEqual(
    expect.objectContaining({
      check: 'configuration',
      message: expect.stringContaining('Did you mean auth.site_url'),
    }),
  );
});
