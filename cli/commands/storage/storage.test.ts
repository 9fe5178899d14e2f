/** `greenroom storage` on a running instance. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InstanceRecord, readInstanceRecord } from '@greenroom/data-folder';
import { type Database, openDatabase } from '@greenroom/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { captureOutput } from '../../testing/capture-output.ts';
import { createProjectInstance } from '../../testing/project-instance.ts';

const LARGE_BYTES = 7 * 1024 * 1024;

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let record: InstanceRecord;
let database: Database;
/** A folder for the files of a test. */
let files: string;

beforeAll(async () => {
  project = await createProjectInstance({
    'config.toml': '[storage.buckets.site]\npublic = true\nallowed_mime_types = ["text/*"]\n',
  });
  await project.start(['--services', 'auth,storage']);
  record = (await readInstanceRecord(join(project.folder, '.greenroom'))) ?? fail();
  const url = record.credentials?.adminDatabaseUrl ?? fail();
  database = openDatabase({ url, max: 1, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await project[Symbol.asyncDispose]();
});
beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'greenroom-storage-files-'));
  return () => rm(files, { recursive: true });
});
const printed = captureOutput();

function fail(): never {
  throw new Error('the instance has no record');
}

/** Runs a command in this process, without questions. Returns its exit code, its lines, and its errors. */
async function storage(...args: string[]): Promise<{ code: number; lines: string[]; errors: string }> {
  Object.assign(printed, { output: '', errors: '' });
  const code = await run(['storage', ...args, '--project', project.folder, '--yes']);
  const { output, errors } = printed;
  return { code, lines: output.split('\n').slice(0, -1), errors };
}

/** Sends a request to the storage service as the command does. */
function request(method: string, path: string, body?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${record.credentials?.apiKeys.secret}` };
  return fetch(`${record.apiUrl}/storage/v1${path}`, {
    method,
    headers: { ...headers, ...(path.startsWith('/bucket') && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });
}

const createBucket = (name: string) => request('POST', '/bucket', JSON.stringify({ name }));
const insertNames = (bucket: string, names: readonly string[]) =>
  database.query({
    text: 'insert into storage.objects (bucket_id, name) select $1, unnest($2::text[])',
    values: [bucket, names],
  });

async function writeFiles(contents: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(join(files, path, '..'), { recursive: true });
    await writeFile(join(files, path), content);
  }
}

/** Returns the paths of all files and folders below a folder. */
async function pathsBelow(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).toSorted();
}

describe('storage ls', () => {
  it('lists buckets, folders and objects by the beginning of their names', async () => {
    for (const name of ['ls-one', 'ls-two']) await createBucket(name);
    for (const key of ['docs/a.txt', 'docs/deep/b.txt', 'docs.txt', 'other.txt'])
      await request('POST', `/object/ls-one/${key}`, key);
    expect((await storage('ls')).lines).toEqual(expect.arrayContaining(['ls-one/', 'ls-two/', 'site/']));
    expect((await storage('ls', 'ss:///ls')).lines).toEqual(['ls-one/', 'ls-two/']);
    expect((await storage('ls', 'ss:///ls-one/')).lines).toEqual(['docs.txt', 'docs/', 'other.txt']);
    expect((await storage('ls', 'ss:///ls-one/doc')).lines).toEqual(['docs.txt', 'docs/']);
    expect((await storage('ls', 'ss:///ls-one/docs/')).lines).toEqual(['a.txt', 'deep/']);
    expect((await storage('ls', 'ss:///ls-one/docs/de')).lines).toEqual(['deep/']);
    expect(await storage('ls', 'ss:///ls-one/none/')).toEqual({ code: 0, lines: [], errors: '' });
  });

  it('lists all objects below a path with -r, and empty buckets', async () => {
    expect((await storage('ls', '-r', 'ss:///ls-')).lines).toEqual([
      '/ls-one/docs.txt',
      '/ls-one/docs/a.txt',
      '/ls-one/docs/deep/b.txt',
      '/ls-one/other.txt',
      'ls-two/',
    ]);
    expect((await storage('ls', 'ss:///ls-one/docs/', '--recursive')).lines).toEqual([
      '/ls-one/docs/a.txt',
      '/ls-one/docs/deep/b.txt',
    ]);
  });

  it('lists more than one page, and shows control characters as escapes', async () => {
    await createBucket('many');
    const names = Array.from({ length: 2100 }, (_, index) => `n/${String(index).padStart(4, '0')}`);
    await insertNames('many', [...names, 'odd\n\u001b[2J']);
    expect((await storage('ls', 'ss:///many/n/')).lines).toEqual(names.map((name) => name.slice(2)));
    expect((await storage('ls', '-r', 'ss:///many')).lines).toEqual([
      ...names.map((name) => `/many/${name}`),
      '/many/odd\\u000a\\u001b[2J',
    ]);
  });
});

describe('storage cp', () => {
  it('uploads and downloads one file, and replaces nothing', async () => {
    await createBucket('cp');
    await writeFiles({ 'a b?.txt': 'one', 'empty.md': '' });
    const address = 'ss:///cp/x/a%20b%3F.txt';
    const source = join(files, 'a b?.txt');
    expect(await storage('cp', source, address)).toEqual({ code: 0, lines: [], errors: '' });
    expect(await storage('cp', source, address)).toMatchObject({
      code: 1,
      errors: 'error: uploading /cp/x/a b?.txt failed: The resource already exists\n',
    });
    expect((await storage('cp', join(files, 'empty.md'), 'ss:///cp')).code).toBe(0);
    const target = join(files, 'copy.txt');
    expect((await storage('cp', address, target)).code).toBe(0);
    expect(await readFile(target, 'utf8')).toBe('one');
    expect(await storage('cp', address, target)).toMatchObject({
      code: 1,
      errors: `error: ${target} exists already. Remove it, or replace it with -r.\n`,
    });
    await mkdir(join(files, 'folder'));
    expect((await storage('cp', 'ss:///cp/empty.md', join(files, 'folder'))).code).toBe(0);
    expect(await readFile(join(files, 'folder/empty.md'), 'utf8')).toBe('');
    expect(await pathsBelow(files)).toHaveLength(5);
  });

  it.each([
    ['a missing object', ['ss:///cp/none', 'x'], 'downloading /cp/none failed: Object not found'],
    ['a missing folder', ['-r', 'ss:///cp/none', 'x'], 'Object not found: /cp/none'],
    ['a missing file', ['none.txt', 'ss:///cp/x'], 'none.txt does not exist.'],
    ['a folder without -r', ['.', 'ss:///cp/x'], 'is a folder. Upload it with -r.'],
    [
      'a key that a URL cannot contain',
      ['ss:///cp/x/../y', 'x'],
      'cannot contain an empty segment, "." or ".."',
    ],
  ])('reports %s and leaves no file', async (_, args, message) => {
    const local = (arg: string) => (arg.startsWith('-') || arg.startsWith('ss:') ? arg : join(files, arg));
    const { code, errors } = await storage('cp', ...args.map(local));
    expect([code, errors.match(/error: /g)?.length]).toEqual([1, 1]);
    expect(errors).toContain(message);
    expect(await pathsBelow(files)).toEqual([]);
  });

  it('uploads a folder with -r and downloads it again, several files at a time', async () => {
    await createBucket('tree');
    const contents = { 'docs/a.txt': 'a', 'docs/deep/b.bin': 'b', 'docs/c.txt': 'c' };
    await writeFiles(contents);
    await symlink(join(files, 'docs/a.txt'), join(files, 'docs/link.txt'));
    const up = await storage('cp', '-r', join(files, 'docs'), 'ss:///tree', '-j', '3');
    expect([up.code, up.errors.split('\n').toSorted()]).toEqual([
      0,
      [
        '',
        `Skipping: ${join(files, 'docs/link.txt')}: it is no regular file`,
        ...['a.txt', 'c.txt', 'deep/b.bin'].map(
          (name) => `Uploading: ${join(files, 'docs', name)} => /tree/docs/${name}`,
        ),
      ],
    ]);
    expect((await storage('ls', '-r', 'ss:///tree/')).lines).toEqual(
      ['a.txt', 'c.txt', 'deep/b.bin'].map((name) => `/tree/docs/${name}`),
    );
    // Replaces the objects of the first time.
    await writeFile(join(files, 'docs/a.txt'), 'new');
    expect((await storage('cp', '-r', join(files, 'docs'), 'ss:///tree', '--jobs', '2')).code).toBe(0);
    await mkdir(join(files, 'down'));
    for (const _ of [1, 2]) {
      const down = await storage('cp', '-r', 'ss:///tree/docs', join(files, 'down'), '-j', '2');
      expect(down.code).toBe(0);
      expect(down.errors).toContain(`Downloading: /tree/docs/a.txt => ${join(files, 'down/docs/a.txt')}\n`);
    }
    expect(await pathsBelow(join(files, 'down'))).toEqual([
      'docs',
      'docs/a.txt',
      'docs/c.txt',
      'docs/deep',
      'docs/deep/b.bin',
    ]);
    expect(await readFile(join(files, 'down/docs/a.txt'), 'utf8')).toBe('new');
    // Into a new folder, from all buckets whose objects are complete.
    expect((await storage('cp', '-r', 'ss:///tree', join(files, 'new'))).code).toBe(0);
    expect(await readdir(join(files, 'new'))).toEqual(['docs']);
  });

  it('creates a missing bucket with the properties of the project', async () => {
    await request('DELETE', '/bucket/site');
    await writeFiles({ 'index.html': '<p>', 'picture.png': 'x' });
    expect((await storage('cp', '-r', join(files, 'index.html'), 'ss:///site')).code).toBe(0);
    const page = await fetch(`${record.apiUrl}/storage/v1/object/public/site/index.html`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\//)]);
    const refused = await storage('cp', '-r', join(files, 'picture.png'), 'ss:///site');
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringContaining('mime type image/png is not supported'),
    });
  });

  it.each([
    ['by default', [], 'application/pdf', 'max-age=3600'],
    [
      'from the options',
      ['--content-type', 'text/x-own', '--cache-control', 'max-age=60'],
      'text/x-own',
      'max-age=60',
    ],
    [
      'from options that resumable uploads do not have',
      ['--cache-control', 'private, no-store'],
      'application/pdf',
      'private, no-store',
    ],
  ])('stores small and large files with headers %s', async (title, options, type, cacheControl) => {
    await createBucket('headers');
    const large = randomBytes(LARGE_BYTES);
    await writeFiles({ 'small.pdf': 'small', 'large.pdf': large });
    for (const name of ['small.pdf', 'large.pdf']) {
      const address = `ss:///headers/${encodeURIComponent(title)}/${name}`;
      expect(await storage('cp', join(files, name), address, ...options)).toMatchObject({ code: 0 });
      const { lastModified: _, ...metadata } = await metadataOf(`${title}/${name}`);
      expect(metadata).toMatchObject({ mimetype: type, cacheControl });
      await storage('cp', address, join(files, `copy-${name}`));
    }
    expect((await readFile(join(files, 'copy-large.pdf'))).equals(large)).toBe(true);
    const again = await storage(
      'cp',
      join(files, 'large.pdf'),
      `ss:///headers/${encodeURIComponent(title)}/large.pdf`,
      ...options,
    );
    expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('The resource already exists') });
  });

  async function metadataOf(key: string): Promise<Record<string, unknown>> {
    const [row] = await database.query<{ metadata: Record<string, unknown> }>({
      text: "select metadata from storage.objects where bucket_id = 'headers' and name = $1",
      values: [key],
    });
    return row?.metadata ?? fail();
  }

  it('writes nothing outside of the target with -r, and reports the objects that it skips', async () => {
    await createBucket('hostile');
    await request('POST', '/object/hostile/good/a.txt', 'good');
    const names = [
      '../outside.txt',
      '..',
      'good/../../outside.txt',
      'good/./b.txt',
      '/etc/outside.txt',
      'good//b.txt',
      'good\\..\\outside.txt',
      'C:\\outside.txt',
      `good/${'x'.repeat(256)}`,
      'good/a.txt/below.txt',
      'link/outside.txt',
    ];
    await insertNames('hostile', names);
    await mkdir(join(files, 'target/hostile'), { recursive: true });
    await mkdir(join(files, 'elsewhere'));
    await symlink(join(files, 'elsewhere'), join(files, 'target/hostile/link'));
    const { code, errors } = await storage('cp', '-r', 'ss:///hostile', join(files, 'target'));
    expect(code).toBe(1);
    for (const name of names) expect(errors).toContain(`Skipping: /hostile/${name}: `);
    expect(errors).toContain(`error: ${names.length} of ${names.length + 1} objects cannot be files here`);
    expect(await pathsBelow(files)).toEqual([
      'elsewhere',
      'target',
      'target/hostile',
      'target/hostile/good',
      'target/hostile/good/a.txt',
      'target/hostile/link',
    ]);
    // Neither does a folder with such a name, nor an object whose own name is one.
    for (const address of [
      'ss:///hostile/good/..',
      'ss:///hostile/..',
      'ss:///hostile/good%5C..%5Coutside.txt',
    ])
      expect((await storage('cp', '-r', address, join(files, 'target'))).code).toBe(1);
    expect(await readdir(files)).toEqual(['elsewhere', 'target']);
  });
});

describe('storage cp after Ctrl-C', () => {
  let server: ReturnType<typeof createServer>;
  let requests: string[];
  let other: string;

  /** Responds to no transfer completely, in place of the instance. */
  beforeAll(async () => {
    requests = [];
    server = createServer((incoming, response) => {
      requests.push(`${incoming.method} ${incoming.url}`);
      const location = `http://${incoming.headers.host}/storage/v1/upload/resumable/id`;
      if (incoming.method === 'POST') response.writeHead(201, { location, 'tus-resumable': '1.0.0' }).end();
      else if (incoming.method === 'DELETE') response.writeHead(204, { 'tus-resumable': '1.0.0' }).end();
      else if (incoming.method === 'GET') response.writeHead(200, { 'content-length': '100' }).write('half');
      else incoming.resume();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    other = await mkdtemp(join(tmpdir(), 'greenroom-storage-other-'));
    await mkdir(join(other, 'supabase'));
    await mkdir(join(other, '.greenroom'));
    await writeFile(join(other, 'supabase/config.toml'), '');
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await writeFile(join(other, '.greenroom/instance.json'), JSON.stringify({ ...record, apiUrl }));
    const keys = await readFile(join(project.folder, '.greenroom/keys.json'));
    await writeFile(join(other, '.greenroom/keys.json'), keys);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(other, { recursive: true });
  });

  async function interrupt(args: string[], isRunning: () => Promise<boolean>): Promise<void> {
    const { child, printed: text } = project.follow(['storage', 'cp', ...args, '--project', other]);
    const exited = once(child, 'exit');
    await expect.poll(isRunning, { timeout: 30_000 }).toBe(true);
    child.kill('SIGINT');
    expect([(await exited)[0], text()]).toEqual([
      1,
      'error: interrupted; complete files and objects are kept.\n',
    ]);
  }

  it('leaves no half file', async () => {
    await interrupt(['ss:///b/a.txt', join(files, 'a.txt')], async () => {
      const [name, ...others] = await readdir(files);
      return (
        others.length === 0 && name !== undefined && (await readFile(join(files, name), 'utf8')) === 'half'
      );
    });
    expect(await readdir(files)).toEqual([]);
  });

  it('deletes the parts of a large upload', async () => {
    await writeFiles({ 'large.bin': Buffer.alloc(LARGE_BYTES) });
    const path = '/storage/v1/upload/resumable/id';
    await interrupt([join(files, 'large.bin'), 'ss:///b/large.bin'], async () =>
      requests.includes(`PATCH ${path}`),
    );
    expect(requests.at(-1)).toBe(`DELETE ${path}`);
  });
});

describe('storage mv', () => {
  it('moves an object, and a folder with -r', async () => {
    await createBucket('mv');
    for (const key of ['a.txt', 'docs/b.txt', 'docs/deep/c.txt'])
      await request('POST', `/object/mv/${key}`, key);
    expect(await storage('mv', 'ss:///mv/a.txt', 'ss:///mv/b.txt')).toEqual({
      code: 0,
      lines: [],
      errors: 'Moving object: /mv/a.txt => /mv/b.txt\nSuccessfully moved\n',
    });
    await storage('mv', 'ss:///mv/b.txt', 'ss:///mv/into/');
    expect(await storage('mv', 'ss:///mv/docs', 'ss:///mv/docs/old')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: moving \/mv\/docs failed: Object not found$/m),
    });
    // The target is inside of the source.
    expect((await storage('mv', '-r', 'ss:///mv/docs', 'ss:///mv/docs/old')).code).toBe(0);
    expect((await storage('ls', '-r', 'ss:///mv/')).lines).toEqual([
      '/mv/docs/old/b.txt',
      '/mv/docs/old/deep/c.txt',
      '/mv/into/b.txt',
    ]);
    expect(await storage('mv', '-r', 'ss:///mv/none', 'ss:///mv/x')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: Object not found: \/mv\/none\/$/m),
    });
  });
});

describe('storage rm', () => {
  it('deletes objects after a question for the bucket', async () => {
    await createBucket('rm');
    for (const key of ['a.txt', 'b.txt', 'c.txt']) await request('POST', `/object/rm/${key}`, key);
    const question = 'Confirm deleting files in bucket rm? [y/N] ';
    const args = ['storage', 'rm', 'ss:///rm/a.txt', 'ss:///rm/none'];
    const refused = await project.run(args, { input: 'n\n' });
    expect([refused.code, refused.output, refused.errors]).toEqual([
      0,
      expect.stringContaining(question),
      'Not confirmed: nothing was deleted in bucket rm\n',
    ]);
    expect((await storage('ls', 'ss:///rm/')).lines).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const confirmed = await project.run(args, { input: 'y\n' });
    expect([confirmed.code, confirmed.errors]).toEqual([
      0,
      'Deleting objects: [a.txt none]\nObject not found: none\n',
    ]);
    expect((await storage('ls', 'ss:///rm/')).lines).toEqual(['b.txt', 'c.txt']);
  });

  it('deletes folders and buckets with -r, with more objects than one request can name', async () => {
    await createBucket('gone');
    const names = (folder: string) => Array.from({ length: 1100 }, (_, index) => `${folder}/${index}`);
    await insertNames('gone', [...names('one'), ...names('two'), 'one.txt', '../odd']);
    expect((await storage('rm', '-r', 'ss:///gone/one')).code).toBe(0);
    expect((await storage('ls', 'ss:///gone/')).lines).toEqual(['../', 'one.txt', 'two/']);
    expect(await storage('rm', '-r', 'ss:///gone/one')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: Object not found: gone\/one\/$/m),
    });
    const { code, errors } = await storage('rm', '-r', 'ss:///gone', 'ss:///gone/one.txt');
    expect([code, errors]).toEqual([
      0,
      expect.stringMatching(/Deleting bucket: gone\nSuccessfully deleted\n$/),
    ]);
    expect((await storage('ls')).lines).not.toContain('gone/');
    expect(await storage('rm', '-r', 'ss:///gone')).toMatchObject({
      code: 0,
      errors: 'Deleting bucket: gone\nBucket not found: gone\n',
    });
  });
});

it('--experimental and --local have no effect on storage commands', async () => {
  const { lines } = await storage('ls');
  expect(await storage('ls', '--experimental', '--local')).toEqual({ code: 0, lines, errors: '' });
});

it('storage commands name the remedy if the instance does not run', async () => {
  await project.stop();
  const stopped = `error: ${record.apiUrl} does not respond. Start the instance first: greenroom start\n`;
  await writeFiles({ 'large.bin': Buffer.alloc(LARGE_BYTES) });
  for (const args of [['ls'], ['cp', join(files, 'large.bin'), 'ss:///b/x'], ['rm', '-r', 'ss:///b']]) {
    const { code, errors } = await storage(...args);
    expect([code, errors]).toEqual([1, expect.stringContaining(stopped)]);
  }
});
