import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rememberSettings } from '@greenroom/data-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';
import { portRequest } from './port-request.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-ports-'));
  await mkdir(join(folder, 'supabase/migrations'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

interface Sources {
  configFile?: string;
  flags?: Readonly<Record<string, string>>;
  /** Port that is remembered, and the text of the configured one that it replaces. */
  remembered?: readonly [value: string, insteadOf: string];
}

/** Returns the request for the port of the database of a project. */
async function databaseRequest({ configFile, flags = {}, remembered }: Sources) {
  if (configFile !== undefined) await writeFile(join(folder, 'supabase/config.toml'), configFile);
  const dataFolder = join(folder, '.greenroom');
  await mkdir(dataFolder);
  if (remembered) {
    const [value, insteadOf] = remembered;
    await rememberSettings(dataFolder, { GREENROOM_DB_PORT: { value, insteadOf } });
  }
  const settings = await readSettings({
    project: folder,
    flags: { GREENROOM_DATA_DIR: dataFolder, ...flags },
  });
  return portRequest(settings, {
    setting: 'GREENROOM_DB_PORT',
    host: '127.0.0.1',
    fallback: 54_322,
    yieldsWithoutFile: 'all',
  });
}

const KEY = 'db.port in supabase/config.toml';
const VARIABLE = 'GREENROOM_DB_PORT';

describe('portRequest', () => {
  it.each<[string, Sources, object]>([
    ['without a config.toml', {}, { port: 54_322, name: VARIABLE, yieldsTo: 'all' }],
    ['of an empty config.toml', { configFile: '' }, { port: 54_322, name: KEY, yieldsTo: 'instances' }],
    ['of config.toml', { configFile: 'db.port = 7' }, { port: 7, name: KEY, yieldsTo: 'instances' }],
    [
      'of the user',
      { configFile: 'db.port = 7', flags: { [VARIABLE]: '8' } },
      { port: 8, configured: 8, name: VARIABLE, yieldsTo: 'none' },
    ],
    [
      'that is remembered',
      { configFile: 'db.port = 7', remembered: ['9', '7'] },
      { port: 9, configured: 7, name: KEY, yieldsTo: 'instances' },
    ],
    [
      'that is remembered without a config.toml',
      { remembered: ['9', ''] },
      { port: 9, configured: 54_322, configuredText: '', yieldsTo: 'all' },
    ],
    [
      'that is remembered instead of another one',
      { configFile: 'db.port = 7', remembered: ['9', '6'] },
      { port: 7, configured: 7, yieldsTo: 'instances' },
    ],
    [
      'of the user instead of a remembered one',
      { remembered: ['9', ''], flags: { [VARIABLE]: '8' } },
      { port: 8, yieldsTo: 'none' },
    ],
  ])('returns the port %s', async (_, sources, expected) => {
    expect(await databaseRequest(sources)).toMatchObject(expected);
  });
});
