/** Functions of a project on a whole instance: what its config.toml says about them, and calls of the official client. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProjectToRun } from '@greenroom/project';
import { parseConfigFile } from '@greenroom/project/config-file';
import { createEmptyDatabase, freePort, TEST_JWT_SECRET } from '@greenroom/testing';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allSettings, loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const CONFIG = `
[edge_runtime.secrets]
FROM_CONFIG = "config"
FROM_BOTH = "config"
FROM_ALL = "config"

[functions.closed]

[functions.public]
verify_jwt = false

[functions.public.env]
FROM_ALL = "own"

[functions.attacks]
verify_jwt = false

[functions.disabled]
enabled = false

[functions.elsewhere]
verify_jwt = false
entrypoint = "./code/elsewhere.ts"
import_map = "./code/imports.json"
static_files = ["./code/*.txt"]
`;

/** Apart, because imports of tests are checked. */
const CLIENT = '"jsr:@supabase/supabase-js@2"';
const MAPPED = '"words"';

const FILES = {
  'functions/.env': 'FROM_FILE=file\nFROM_BOTH=file\nFROM_ALL=file\n',
  'functions/public/index.ts': `Deno.serve(() => Response.json([
    Deno.env.get('FROM_CONFIG'), Deno.env.get('FROM_FILE'), Deno.env.get('FROM_BOTH'), Deno.env.get('FROM_ALL'),
  ]));`,
  'functions/closed/index.ts': `import { createClient } from ${CLIENT};
    Deno.serve(async () => {
      const client = createClient(Deno.env.get('SUPABASE_URL'), Deno.env.get('SUPABASE_SERVICE_ROLE_KEY'));
      const { data, error } = await client.auth.admin.listUsers();
      return Response.json({ users: data.users.length, error });
    });`,
  'functions/request/index.ts': `import { createClient } from ${CLIENT};
    Deno.serve(async (request) => {
      const { pathname, search } = new URL(request.url);
      const authorization = request.headers.get('authorization');
      const headers = { Authorization: authorization };
      const client = createClient(Deno.env.get('SUPABASE_URL'), Deno.env.get('SUPABASE_ANON_KEY'), { global: { headers } });
      const { data } = await client.auth.getUser();
      return Response.json({
        method: request.method, path: pathname + search, body: await request.text(), authorization, email: data.user.email,
      });
    });`,
  'functions/attacks/index.ts': `Deno.serve(async (request) => {
    const { port, text } = await request.json();
    const api = { transport: 'unix', path: Deno.env.get('TMPDIR') + '/api.sock' };
    try {
      const connection = await Deno.connect(port === undefined ? api : { hostname: '127.0.0.1', port });
      await connection.write(new TextEncoder().encode(text));
      return new Response(connection.readable);
    } catch (error) {
      return new Response(error.name);
    }
  });`,
  'functions/disabled/index.ts': 'Deno.serve(() => new Response("never"));',
  'code/elsewhere.ts': `import { word } from ${MAPPED};
    Deno.serve(async () => new Response(word + await Deno.readTextFile(new URL('./note.txt', import.meta.url))));`,
  'code/imports.json': '{ "imports": { "words": "./words.ts" } }',
  'code/words.ts': 'export const word = "mapped ";',
  'code/note.txt': 'note',
};

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let instance: Greenroom;

const write = async (path: string, content: string) => {
  const location = join(folder, 'supabase', path);
  await mkdir(dirname(location), { recursive: true });
  await writeFile(location, content);
};

function projectOf(text: string): ProjectToRun {
  const project = { folder, supabaseFolder: join(folder, 'supabase') };
  const { projectKeys, problems } = parseConfigFile(text, project, {
    settings: allSettings,
    variable: () => undefined,
  });
  expect(problems).toEqual([]);
  return { project, name: 'functions', functions: projectKeys.functions };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-functions-'));
  for (const [path, content] of Object.entries(FILES)) await write(path, content);
  database = await createEmptyDatabase();
  const config = loadConfig({
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
    GREENROOM_DATA_DIR: join(folder, '.greenroom'),
    GREENROOM_MAILBOX_ENABLED: 'true',
    GREENROOM_MAILBOX_PORT: '0',
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
    LOG_LEVEL: 'silent',
  });
  instance = await startGreenroom({ config, project: projectOf(CONFIG), pages: 'none' });
});

afterAll(async () => {
  await instance?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const invoke = (name: string) =>
  createClient(instance.url, instance.backend?.apiKeys.anon ?? '').functions.invoke(name);
const call = (name: string) =>
  fetch(`${instance.url}/functions/v1/${name}`, { headers: { connection: 'close' } });

it('functions are prepared after the start, without a process', async () => {
  const metric = async (name: string) => {
    const text = await (await fetch(`${instance.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const prepared = 'greenroom_functions_preparations_total\\{result="success"\\}';
  await expect.poll(() => metric(prepared), { timeout: 60_000, interval: 250 }).toBe(5);
  expect(await metric('greenroom_functions_processes')).toBe(0);
}, 60_000);

it('verify_jwt decides whether a function needs a token', async () => {
  expect((await call('closed')).status).toBe(401);
  expect((await call('public')).status).toBe(200);
});

it('the official client sends POST /{function}, or the method that it is given, as its user', async () => {
  const client = createClient(instance.url, instance.backend?.apiKeys.publishable ?? '');
  await client.auth.signUp({ email: 'ada@example.org', password: 'correct horse' });
  const { data: session } = await client.auth.getSession();
  const invoke = (options?: Parameters<typeof client.functions.invoke>[1]) =>
    client.functions.invoke('request/more?x=1', options);
  expect(await invoke()).toMatchObject({
    error: null,
    data: {
      method: 'POST',
      path: '/request/more?x=1',
      authorization: `Bearer ${session.session?.access_token}`,
      email: 'ada@example.org',
    },
  });
  expect((await invoke({ method: 'GET' })).data).toMatchObject({ method: 'GET' });
  expect((await invoke({ body: { a: 1 } })).data).toMatchObject({ body: '{"a":1}' });
});

it('a function calls the API of its instance with the official client', async () => {
  expect((await invoke('closed')).data).toEqual({ users: expect.any(Number), error: null });
});

const attack = async (options: { text: string; port?: number }) => {
  const request = { method: 'POST', body: JSON.stringify(options) };
  return (await fetch(`${instance.url}/functions/v1/attacks`, request)).text();
};

it.each([
  ['/functions/v1/_admin/functions', 401],
  ['/functions/v1/_admin/secrets', 401],
  ['/functions/v1/_admin/logs', 401],
  ['/metrics', 403],
])('a function without the secret key gets for %s the status %i', async (path, status) => {
  const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  expect(await attack({ text })).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

it('programs of this machine read the metrics of a local instance, and functions reach no port', async () => {
  expect((await fetch(`${instance.url}/metrics`)).status).toBe(200);
  const ports = [instance.url, instance.mailbox?.url ?? ''].map((url) => Number(new URL(url).port));
  for (const port of ports) expect(await attack({ port, text: '' })).toBe('NotCapable');
});

it('secrets come from the env of the function, functions/.env, then edge_runtime.secrets', async () => {
  expect((await invoke('public')).data).toEqual(['config', 'file', 'file', 'own']);
});

it('a disabled function does not exist', async () => {
  expect((await call('disabled')).status).toBe(404);
});

it('entrypoint, import_map and static_files name files elsewhere in supabase/', async () => {
  expect((await invoke('elsewhere')).data).toBe('mapped note');
});

it('a reloaded config.toml changes which functions exist', async () => {
  await instance.applyProject(projectOf(CONFIG.replace('enabled = false', 'verify_jwt = false')));
  await expect.poll(async () => (await call('disabled')).status).toBe(200);
});
