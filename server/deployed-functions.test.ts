/** Functions that are deployed into an instance with two nodes, and their secrets. */
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { archiveOf, bundleFunction } from '@greenroom/functions/client';
import { createEmptyDatabase, freePort, TEST_JWT_SECRET } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let nodes: Greenroom[] = [];

const projectOf = (isInDevelopment: boolean) => ({
  project: { folder, supabaseFolder: join(folder, 'supabase') },
  name: 'deployed',
  isInDevelopment,
});

const write = async (path: string, content: string) => {
  const location = join(folder, 'supabase', path);
  await mkdir(dirname(location), { recursive: true });
  await writeFile(location, content);
};

/** The second node has no project, as on another machine. */
async function startNode(index: number, project?: ReturnType<typeof projectOf>): Promise<Greenroom> {
  const config = loadConfig({
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
    GREENROOM_SECRET_KEY: `sb_secret_${'a'.repeat(32)}`,
    GREENROOM_PUBLISHABLE_KEY: `sb_publishable_${'b'.repeat(32)}`,
    GREENROOM_DATA_DIR: join(folder, `node-${index}`),
    GREENROOM_MAILBOX_ENABLED: 'false',
    GREENROOM_FUNCTIONS_KEPT_VERSIONS: '3',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
  });
  return startGreenroom({ config, ...(project && { project }), pages: 'none' });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-deployed-'));
  await write('functions/.env', 'FROM_FILE=file\nFROM_BOTH=file\n');
  await write('functions/_shared/word.ts', 'export const word = "shared";');
  await write('functions/local/index.ts', 'Deno.serve(() => new Response("local"));');
  database = await createEmptyDatabase();
  nodes = [await startNode(0, projectOf(false)), await startNode(1)];
}, 120_000);

afterAll(async () => {
  for (const node of nodes) await node.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const node = (index = 0) => {
  const found = nodes[index];
  if (found === undefined) throw new Error('the node has not started');
  return found;
};
const keysOf = () => {
  const { backend } = node();
  if (backend === undefined) throw new Error('the node has no keys');
  return backend.apiKeys;
};

interface Sent {
  method?: string;
  body?: string | Buffer | undefined;
  key?: string | undefined;
  index?: number;
}

async function manage(path: string, { method = 'GET', body, key = keysOf().secret, index = 0 }: Sent = {}) {
  const response = await fetch(`${node(index).url}/functions/v1/_admin/${path}`, {
    method,
    headers: { connection: 'close', ...(key !== '' && { apikey: key }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

const call = async (name: string, index = 0) => {
  const response = await fetch(`${node(index).url}/functions/v1/${name}`, {
    headers: { connection: 'close', apikey: keysOf().publishable },
  });
  return response.text();
};

/** Deploys a function with one file. */
async function deploy(name: string, code: string, key?: string) {
  const content = Buffer.from(code);
  const path = `supabase/functions/${name}/index.ts`;
  const body = await archiveOf({
    entrypoint: path,
    importMap: undefined,
    staticFiles: [],
    verifiesJwt: false,
    files: [{ path, content }],
  });
  return manage(`functions/${name}/versions`, { method: 'POST', body, key });
}

const respond = (text: string) => `Deno.serve(() => new Response(${JSON.stringify(text)}));`;

describe('secrets', () => {
  const set = (secrets: unknown, index = 0) =>
    manage('secrets', { method: 'POST', body: JSON.stringify(secrets), index });

  it('reach running functions on all nodes, before those of files, and are never returned', async () => {
    const code = `Deno.serve(() => Response.json(['FROM_FILE', 'FROM_BOTH', 'OWN'].map((name) => Deno.env.get(name) ?? null)));`;
    await deploy('environment', code);
    expect(JSON.parse(await call('environment'))).toEqual(['file', 'file', null]);
    await expect.poll(() => call('environment', 1)).toBe('[null,null,null]');
    expect(
      await set([
        { name: 'FROM_BOTH', value: 'set' },
        { name: 'OWN', value: 'ä\n"' },
      ]),
    ).toEqual({
      status: 204,
      body: '',
    });
    expect(JSON.parse(await call('environment'))).toEqual(['file', 'set', 'ä\n"']);
    await expect.poll(async () => JSON.parse(await call('environment', 1))).toEqual([null, 'set', 'ä\n"']);
    expect((await manage('secrets')).body).toEqual([
      { name: 'FROM_BOTH', digest: hash('sha256', 'set') },
      { name: 'OWN', digest: hash('sha256', 'ä\n"') },
    ]);
  });

  it('are removed on all nodes', async () => {
    const removed = await manage('secrets', { method: 'DELETE', body: '["OWN","NOTHING"]', index: 1 });
    expect(removed.body).toEqual(['OWN']);
    await expect.poll(async () => JSON.parse(await call('environment'))).toEqual(['file', 'set', null]);
  });

  it('are encrypted in the database, each for its own row', async () => {
    const rows = await database.admin.query({
      text: 'select name, value from greenroom.function_secrets',
    });
    expect(rows).toEqual([{ name: 'FROM_BOTH', value: expect.stringMatching(/^v1\./) }]);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('set').toString('base64url'));
    await database.run(
      `insert into greenroom.function_secrets select 'COPIED', value from greenroom.function_secrets`,
    );
    expect((await manage('secrets')).body).toContainEqual({ name: 'COPIED', digest: null });
    await manage('secrets', { method: 'DELETE', body: '["COPIED"]' });
  });

  it.each([
    [[{ name: 'SUPABASE_URL', value: 'x' }], 'SUPABASE_URL is not allowed'],
    [[{ name: 'A-B', value: 'x' }], '"A-B" cannot be the name of a secret'],
    [[{ name: 'A'.repeat(257), value: 'x' }], 'cannot be the name of a secret'],
    [[{ name: 'BIG', value: 'x'.repeat(48 * 1024 + 1) }], 'the value of BIG has 49153 bytes; at most 49152'],
    [[{ name: 'NUL', value: 'a\0b' }], 'the value of NUL contains a NUL character'],
    [[{ name: 'NONE' }], 'the value of NONE must be a text'],
    [
      [
        { name: 'A', value: '' },
        { name: 'A', value: '' },
      ],
      'the secret A is named twice',
    ],
    [Array.from({ length: 100 }, (_, n) => ({ name: `N${n}`, value: '' })), 'there would be 101 secrets'],
    [{ NAME: 'x' }, 'the body must be a list'],
  ])('that break the rules %# are refused, and nothing is stored', async (secrets, message) => {
    expect(await set(secrets)).toEqual({
      status: 400,
      body: { code: 'INVALID_SECRETS', message: expect.stringContaining(message) },
    });
    expect((await manage('secrets')).body).toHaveLength(1);
  });
});

describe('deployed functions', () => {
  it('have versions, which all nodes serve', async () => {
    expect(await deploy('hello', respond('one'))).toEqual({
      status: 200,
      body: { name: 'hello', version: 1, changed: true },
    });
    expect(await call('hello')).toBe('one');
    await expect.poll(() => call('hello', 1)).toBe('one');
    expect((await deploy('hello', respond('two'))).body.version).toBe(2);
    expect(await call('hello')).toBe('two');
    await expect.poll(() => call('hello', 1)).toBe('two');
    expect((await deploy('hello', respond('two'))).body).toEqual({
      name: 'hello',
      version: 2,
      changed: false,
    });
  });

  it('return to a former version', async () => {
    const back = await manage('functions/hello/rollback', { method: 'POST' });
    expect(back).toEqual({ status: 200, body: { name: 'hello', version: 1 } });
    expect(await call('hello')).toBe('one');
    await expect.poll(() => call('hello', 1)).toBe('one');
    await manage('functions/hello/rollback', { method: 'POST', body: '{"to":2}', index: 1 });
    await expect.poll(() => call('hello')).toBe('two');
    expect((await manage('functions/hello/rollback', { method: 'POST', body: '{"to":9}' })).body).toEqual({
      code: 'NO_SUCH_VERSION',
      message: expect.stringContaining('The function hello has no version 9.'),
    });
  });

  it.each([
    ['a syntax error', 'const = 1;', /index\.ts/],
    ['a missing file', 'import "./gone.ts";', /gone\.ts/],
    ['a package that does not exist', 'import "npm:@greenroom-test/none@0.0.0-none";', /cannot be prepared/],
  ])('are not replaced by one with %s', async (_, code, reason) => {
    const { status, body } = await deploy('hello', code);
    expect([status, body.code]).toEqual([422, 'DEPLOY_FAILED']);
    expect(body.message).toMatch(reason);
    expect(body.message).not.toContain(folder);
    expect(await call('hello')).toBe('two');
    expect((await manage('functions/hello/versions')).body[0].version).toBe(2);
  });

  it.each([
    [
      'a file by its path',
      () => `import x from ${JSON.stringify(join(folder, 'node-0/keys.json'))} with { type: 'json' };`,
    ],
    [
      'a file by its URL',
      () => `import x from ${JSON.stringify(`file://${folder}/node-0/keys.json`)} with { type: 'json' };`,
    ],
    ['a text', () => `import x from ${JSON.stringify('/etc/passwd')} with { type: 'text' };`],
    ['a module by its path', () => `import ${JSON.stringify('/etc/passwd')};`],
    ['a module by its URL', () => `import ${JSON.stringify('file:///etc/shadow')};`],
    [
      'a file outside, later',
      () => `const x = await import(${JSON.stringify('../../../../../../../../../../etc/hostname')});`,
    ],
    ['a folder as a package', () => `import ${JSON.stringify('npm:..')};`],
    ['a folder as a package with a path', () => `import ${JSON.stringify('npm:@a/../../../x@*')};`],
  ])('import no files of the server: %s', async (_, codeOf) => {
    const { status, body } = await deploy('spy', `${codeOf()}\n${respond('x')}`);
    expect([status, body.code]).toEqual([422, 'DEPLOY_FAILED']);
    expect(body.message).not.toMatch(/root:|jwtSecret/);
    expect(JSON.parse(await call('spy')).code).toBe('NOT_FOUND');
  });

  it('finish the requests that their former version has received', async () => {
    await deploy(
      'slow',
      `Deno.serve(async () => { await new Promise((resolve) => setTimeout(resolve, 400)); return new Response('first'); });`,
    );
    await call('slow');
    const running = call('slow');
    await deploy('slow', respond('second'));
    expect(await Promise.all([running, call('slow')])).toEqual(['first', 'second']);
  });

  it('of the same name that are deployed at the same time get one number each, and the last one is served', async () => {
    const texts = ['a', 'b', 'c', 'd', 'e'];
    const results = await Promise.all(texts.map((text) => deploy('raced', respond(text))));
    expect(results.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5]);
    const last = texts[results.findIndex(({ body }) => body.version === 5)];
    for (const index of [0, 1]) await expect.poll(() => call('raced', index)).toBe(last);
    const { body } = await manage('functions/raced/versions');
    expect(body.map(({ version }: { version: number }) => version)).toEqual([5, 4, 3]);
  });

  it('are listed with those of the folder, before which they have priority', async () => {
    await deploy('local', respond('deployed'));
    expect(await call('local')).toBe('deployed');
    const { body } = await manage('functions');
    expect(body.filter(({ name }: { name: string }) => name === 'local')).toEqual([
      { name: 'local', source: 'project', active: false, verify_jwt: true, version: null, updated_at: null },
      {
        name: 'local',
        source: 'deployed',
        active: true,
        verify_jwt: false,
        version: 1,
        updated_at: expect.stringMatching(/^20/),
      },
    ]);
  });

  it('exist no longer after they were deleted', async () => {
    expect((await manage('functions/hello', { method: 'DELETE' })).status).toBe(204);
    expect(JSON.parse(await call('hello'))).toMatchObject({ code: 'NOT_FOUND' });
    await expect.poll(async () => call('hello', 1)).toContain('NOT_FOUND');
    expect((await manage('functions/hello', { method: 'DELETE' })).body.code).toBe('NOT_DEPLOYED');
  });

  it('are served by a node that starts; in development, those of the folder have priority', async () => {
    await nodes.pop()?.close();
    nodes.push(await startNode(1, projectOf(true)));
    expect(await call('raced', 1)).toBe(await call('raced'));
    expect([await call('local'), await call('local', 1)]).toEqual(['deployed', 'local']);
  });

  it('have the files of a project: shared modules, import map and static files', async () => {
    await write(
      'functions/whole/index.ts',
      `import { word } from ${JSON.stringify('words')};
      Deno.serve(async () => new Response(word + await Deno.readTextFile(new URL('./note.txt', import.meta.url))));`,
    );
    await write('functions/whole/deno.json', '{ "imports": { "words": "../_shared/word.ts" } }');
    await write('functions/whole/deno.lock', '{ "version": "5" }');
    await write('functions/whole/note.txt', ' note');
    const at = (path: string) => join(folder, 'supabase/functions', path);
    const bundle = await bundleFunction(
      {
        name: 'whole',
        entry: at('whole/index.ts'),
        importMap: at('whole/deno.json'),
        staticFiles: [at('whole/note.txt')],
        verifiesJwt: false,
        env: new Map(),
      },
      folder,
    );
    expect(bundle.files.map(({ path }) => path).sort()).toEqual([
      'supabase/functions/_shared/word.ts',
      'supabase/functions/whole/deno.json',
      'supabase/functions/whole/deno.lock',
      'supabase/functions/whole/index.ts',
      'supabase/functions/whole/note.txt',
    ]);
    const body = await archiveOf(bundle);
    await manage('functions/whole/versions', { method: 'POST', body });
    expect(await call('whole')).toBe('shared note');
  });
});

describe('the management', () => {
  const PATHS = [
    ['GET', 'functions'],
    ['POST', 'functions/hello/versions'],
    ['GET', 'functions/hello/versions'],
    ['GET', 'functions/hello/versions/1'],
    ['POST', 'functions/hello/rollback'],
    ['DELETE', 'functions/hello'],
    ['GET', 'logs'],
    ['POST', 'serve'],
    ['GET', 'secrets'],
    ['POST', 'secrets'],
    ['DELETE', 'secrets'],
  ];

  it.each(PATHS)('%s %s is refused without the secret key', async (method = '', path = '') => {
    const { anon, publishable } = keysOf();
    const status = async (key: string) => {
      const { status: received, body } = await manage(path, { method, key });
      return [received, body.code];
    };
    expect(await status('')).toEqual([401, 'UNAUTHORIZED_NO_AUTH_HEADER']);
    for (const key of [anon, publishable, 'sb_secret_wrong', 'a.b.c'])
      expect(await status(key), key).toEqual([403, 'FORBIDDEN']);
  });

  it('accepts the secret key and the service_role key', async () => {
    const { secret, serviceRole } = keysOf();
    for (const key of [secret, serviceRole]) expect((await manage('functions', { key })).status).toBe(200);
  });

  /** Sends a bundle whose content may be wrong. */
  const send = (value: unknown, name = 'attack') =>
    manage(`functions/${name}/versions`, { method: 'POST', body: gzipSync(JSON.stringify(value)) });
  const file = (path: string) => ({ path, content: Buffer.from(respond('x')).toString('base64') });
  const withFiles = (...paths: string[]) => ({
    entrypoint: 'index.ts',
    verify_jwt: false,
    files: ['index.ts', ...paths].map(file),
  });

  it.each([
    ['../out.ts', 'it has an empty part, . or ..'],
    ['a/../../out.ts', 'it has an empty part, . or ..'],
    ['a//b.ts', 'it has an empty part, . or ..'],
    ['/etc/cron.d/x', 'it is absolute'],
    ['a\\..\\..\\b.ts', 'it contains a backslash'],
    ['C:/x.ts', 'it contains a backslash, a colon'],
    ['a\0.ts', 'a control character'],
    ['x'.repeat(501), 'it is longer than 500 bytes'],
    ['index.ts', 'has the same name'],
    ['INDEX.TS', 'has the same name'],
    ['index.ts/inner.ts', 'it is also the folder of'],
  ])('refuses the path %j', async (path, reason) => {
    const { status, body } = await send(withFiles(path));
    expect([status, body.code]).toEqual([400, 'INVALID_BUNDLE']);
    expect(body.message).toContain(reason);
  });

  it.each([
    [{ ...withFiles(), entrypoint: 'other.ts' }, 'entrypoint names "other.ts", which is none of its files'],
    [{ ...withFiles(), import_map: '../deno.json' }, 'import_map names "../deno.json"'],
    [{ ...withFiles(), static_files: ['/etc/passwd'] }, 'static_files names "/etc/passwd"'],
    [{ ...withFiles(), static_files: 'all' }, 'static_files must be a list of paths'],
    [{ ...withFiles(), verify_jwt: 'no' }, 'verify_jwt must be true or false'],
    [{ ...withFiles(), files: {} }, 'files must be a list'],
    [{ ...withFiles(), files: [null] }, 'each of its files must have path and content'],
    [[], 'it is not a JSON object'],
    [null, 'it is not a JSON object'],
  ])('refuses a bundle that is not valid: %#', async (value, reason) => {
    const { status, body } = await send(value);
    expect([status, body.code]).toEqual([400, 'INVALID_BUNDLE']);
    expect(body.message).toContain(reason);
  });

  it('refuses bodies that are no archive, and archives with too many files or bytes, also if they are compressed', async () => {
    const post = (body: string | Buffer) => manage('functions/attack/versions', { method: 'POST', body });
    expect((await post('text')).body.message).toContain('it is not compressed by gzip');
    const many = { ...withFiles(), files: Array.from({ length: 2001 }, (_, n) => file(`${n}.ts`)) };
    expect((await send(many)).body.message).toBe('The function has 2001 files; at most 2000 are allowed');
    const large = Buffer.alloc(21 * 1024 * 1024).toString('base64');
    const tooLarge = { ...withFiles(), files: [{ path: 'index.ts', content: large }] };
    expect(await send(tooLarge)).toMatchObject({ status: 413, body: { code: 'BUNDLE_TOO_LARGE' } });
    // 64 MB, which gzip makes a thousand times smaller.
    expect(await post(gzipSync(Buffer.alloc(64 * 1024 * 1024)))).toMatchObject({ status: 413 });
    expect((await post(Buffer.alloc(40 * 1024 * 1024))).status).toBe(413);
    expect((await manage('functions')).body.map(({ name }: { name: string }) => name)).not.toContain(
      'attack',
    );
  });

  it.each(['_admin', '1a', 'a.b', 'a%2Fb', '%2e%2e', 'a%00', 'x'.repeat(101)])(
    'refuses %s as the name of a function',
    async (name) => {
      const { status } = await send(withFiles(), name);
      expect([400, 404]).toContain(status);
    },
  );

  it.each([
    ['{"names":"a"}', 'names must be a list'],
    ['{"names":["gone"]}', 'The project has no enabled function gone. It has: local'],
    ['{"inspect":"run"}', 'inspect requires the name of one function'],
    ['{"inspect":"on","names":["local"]}', 'inspect must be run, brk or wait'],
    ['{"import_map":"x.json"}', 'import_map must be an absolute path'],
    ['{"import_map":"/etc/passwd"}', 'is not in the folder of the project'],
    ['{"env":{"A":1}}', 'the value of A must be a text'],
    ['{', 'is not JSON'],
  ])('refuses to serve with %s', async (body, reason) => {
    const refused = await manage('serve', { method: 'POST', body });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.body.message).toContain(reason);
  });

  it('serves one session at a time, and the next one after its end', async () => {
    const begin = async (body: object) => {
      const leaving = new AbortController();
      const response = await fetch(`${node().url}/functions/v1/_admin/serve`, {
        method: 'POST',
        headers: { apikey: keysOf().secret },
        body: JSON.stringify(body),
        signal: leaving.signal,
      });
      return { status: response.status, end: () => leaving.abort() };
    };
    const statusWithoutKey = async () =>
      (await fetch(`${node().url}/functions/v1/served`, { headers: { connection: 'close' } })).status;
    await write('functions/served/index.ts', respond('served'));
    await expect.poll(statusWithoutKey).toBe(401);
    const first = await begin({ verify_jwt: false });
    expect(first.status).toBe(200);
    const second = await manage('serve', { method: 'POST', body: '{"verify_jwt":true}' });
    expect([second.status, second.body.code]).toEqual([409, 'SERVE_ACTIVE']);
    expect(await statusWithoutKey()).toBe(200);
    first.end();
    await expect.poll(statusWithoutKey).toBe(401);
    const third = await begin({});
    expect(third.status).toBe(200);
    third.end();
  });

  it('has no other paths', async () => {
    expect((await manage('')).body.code).toBe('NOT_FOUND');
    expect((await manage('keys')).body.code).toBe('NOT_FOUND');
  });
});
