import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepOlderChunks } from './older-chunks.ts';

const DAY_SECONDS = 24 * 3600;
let folder: string;
let previous: string;
let current: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-'));
  previous = join(folder, 'previous');
  current = join(folder, 'current');
  await mkdir(previous);
  await mkdir(current);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the chunks of an older build', () => {
  it('are kept beside those of the new one, without its entry point', async () => {
    for (const name of ['main.js', 'open-AAAAAAAA.js', 'smtp-BBBBBBBB.js'])
      await writeFile(join(previous, name), 'old');
    for (const name of ['main.js', 'open-CCCCCCCC.js', 'smtp-BBBBBBBB.js'])
      await writeFile(join(current, name), 'new');
    await keepOlderChunks(previous, current);
    expect((await readdir(current)).sort()).toEqual([
      'main.js',
      'open-AAAAAAAA.js',
      'open-CCCCCCCC.js',
      'smtp-BBBBBBBB.js',
    ]);
    expect(await readFile(join(current, 'main.js'), 'utf8')).toBe('new');
    expect(await readFile(join(current, 'open-AAAAAAAA.js'), 'utf8')).toBe('old');
  });

  it('are kept for 30 days', async () => {
    const now = Date.now() / 1000;
    for (const [name, days] of [
      ['young-AAAAAAAA.js', 29],
      ['older-AAAAAAAA.js', 31],
    ] as const) {
      await writeFile(join(previous, name), 'old');
      await utimes(join(previous, name), now, now - days * DAY_SECONDS);
    }
    await keepOlderChunks(previous, current);
    expect(await readdir(current)).toEqual(['young-AAAAAAAA.js']);
  });

  it('need not exist', async () => {
    await keepOlderChunks(join(folder, 'missing'), current);
    expect(await readdir(current)).toEqual([]);
  });
});
