/** Buckets of a project on a whole instance: at its starts, and by `greenroom seed buckets`. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parseConfigFile } from '@greenroom/project/config-file';
import { freePort } from '@greenroom/testing';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allSettings, loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

let folder: string;
let running: Greenroom | undefined;
let lines: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-buckets-'));
});
afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

async function write(path: string, content: string): Promise<void> {
  const location = join(folder, 'supabase', path);
  await mkdir(dirname(location), { recursive: true });
  await writeFile(location, content);
}

/** Starts the instance with this file; after a failed start, none runs. */
async function start(configFile: string, settings: Record<string, string> = {}): Promise<Greenroom> {
  await running?.close();
  running = undefined;
  lines = [];
  await write('config.toml', configFile);
  const project = { folder, supabaseFolder: join(folder, 'supabase') };
  const options = { settings: allSettings, variable: () => undefined };
  const { projectKeys, problems } = parseConfigFile(configFile, project, options);
  expect(problems).toEqual([]);
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: join(folder, '.greenroom'),
    LOG_LEVEL: 'silent',
    ...settings,
  });
  running = await startGreenroom({
    config,
    project: { project, name: 'buckets', buckets: projectKeys.buckets },
    pages: 'none',
    onProgress: (line) => lines.push(line),
  });
  return running;
}

const storageOf = ({ url, backend }: Greenroom) =>
  createClient(url, backend?.apiKeys.serviceRole ?? '').storage;

const PORTRAITS =
  '[storage.buckets.portraits]\npublic = true\nfile_size_limit = "1KiB"\nobjects_path = "./portraits"\n';

it('rejects a missing folder and a file that is too large, and starts when they are mended', async () => {
  await expect(start(PORTRAITS)).rejects.toThrow(
    `supabase/config.toml:4: storage.buckets.portraits.objects_path: ${folder}/supabase/portraits does not exist`,
  );
  await write('portraits/large.png', 'x'.repeat(1025));
  await expect(start(PORTRAITS)).rejects.toThrow(
    `uploading ${folder}/supabase/portraits/large.png to the bucket portraits failed: The object exceeded the maximum allowed size`,
  );
  await write('portraits/large.png', 'x');
  await write('portraits/by name/ada.svg', '<svg/>');
  const storage = storageOf(await start(PORTRAITS));
  expect(lines).toContain('uploading 2 files to the bucket portraits');
  expect((await storage.getBucket('portraits')).data).toMatchObject({
    public: true,
    file_size_limit: 1024,
    allowed_mime_types: null,
  });
  const { data } = await storage.from('portraits').info('by name/ada.svg');
  expect(data).toMatchObject({ contentType: 'image/svg+xml', cacheControl: 'max-age=3600', size: 6 });
  expect((await storage.from('portraits').info('large.png')).data?.contentType).toBe('image/png');
});

it('changes buckets at later starts, and uploads no objects again', async () => {
  const config = `${PORTRAITS.replace('1KiB', '2KiB')}[storage.buckets.docs]\nallowed_mime_types = ["text/plain"]\n`;
  await storageOf(running as Greenroom)
    .from('portraits')
    .remove(['large.png']);
  const storage = storageOf(await start(config));
  expect(lines).toEqual(
    expect.arrayContaining(['changing the bucket portraits', 'creating the bucket docs']),
  );
  expect(lines.join()).not.toMatch('uploading');
  expect((await storage.getBucket('portraits')).data).toMatchObject({ public: true, file_size_limit: 2048 });
  expect((await storage.getBucket('docs')).data).toMatchObject({
    public: false,
    allowed_mime_types: ['text/plain'],
  });
  expect((await storage.from('portraits').exists('large.png')).data).toBe(false);
  await start(config);
  expect(lines.join()).not.toMatch('bucket');
});

it('uploads objects by `greenroom seed buckets`', async () => {
  const storage = storageOf(running as Greenroom);
  const main = new URL('../cli/main.ts', import.meta.url).pathname;
  const env = { ...process.env, GREENROOM_DATA_DIR: join(folder, '.greenroom') };
  const seed = (...args: string[]) =>
    promisify(execFile)(process.execPath, [main, 'seed', ...args, '--project', folder], { env });
  const { stdout } = await seed('buckets');
  expect(stdout).toBe('uploading 2 files to the bucket portraits\nthe buckets are up to date\n');
  expect((await storage.from('portraits').exists('large.png')).data).toBe(true);
  await expect(seed('tables')).rejects.toMatchObject({ stderr: expect.stringMatching('Use seed buckets') });
});

it('says that buckets need the storage service', async () => {
  await start(PORTRAITS, { GREENROOM_STORAGE_ENABLED: 'false' });
  expect(lines).toContain('storage is disabled, so the buckets of the project are not created');
});
