import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf, listSources } from './source-files.ts';
import { hashFiles } from './source-hash.ts';

let folder: string;
let before: string;

const list = () => listSources([join(folder, 'app'), join(folder, 'package-lock.json')]);
const hash = () => hashFiles(list(), folder);

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-hash-'));
  await write('package-lock.json', '{}');
  await write('app/root.tsx', 'root');
  await write('app/ui/button.tsx', 'button');
  before = await hash();
});

afterEach(() => rm(folder, { recursive: true }));

describe('the hash of sources', () => {
  it.each([
    ['a changed file', 'app/ui/button.tsx', 'other'],
    ['a new file', 'app/ui/field.tsx', ''],
    ['a new folder', 'app/rooms/room.tsx', 'room'],
    ['another lock file', 'package-lock.json', '{"packages":{}}'],
  ])('changes with %s', async (_name, path, text) => {
    await write(path, text);
    expect(await hash()).not.toBe(before);
  });

  it.each([
    ['a test', 'app/ui/button.test.tsx'],
    ['a build', 'app/build/server/index.js'],
    ['an unfinished build', 'app/build.123/server/index.js'],
    ['generated types', 'app/.react-router/types/x.ts'],
    ['packages', 'app/node_modules/x/index.js'],
  ])('ignores %s', async (_name, path) => {
    await write(path, 'anything');
    expect(await hash()).toBe(before);
  });

  it('changes when text moves from one file to the next', async () => {
    await write('app/root.tsx', 'rootbut');
    await write('app/ui/button.tsx', 'ton');
    expect(await hash()).not.toBe(before);
  });

  it('changes when the lock file is deleted', async () => {
    await rm(join(folder, 'package-lock.json'));
    expect(await hash()).not.toBe(before);
  });

  it('is the same for the same sources', async () => {
    await write('app/ui/button.tsx', 'other');
    await write('app/ui/button.tsx', 'button');
    expect(await hash()).toBe(before);
  });
});

describe('the fingerprint of sources', () => {
  const fingerprint = () => fingerprintOf(list());

  it('stays the same while nothing is written', () => {
    expect(fingerprint()).toBe(fingerprint());
  });

  it.each([
    ['a file is replaced by one of the same length', 'app/ui/button.tsx', 'buttom'],
    ['a file is created', 'app/ui/field.tsx', ''],
    ['the lock file is replaced', 'package-lock.json', '[]'],
  ])('changes when %s', async (_name, path, text) => {
    const earlier = fingerprint();
    await write(path, text);
    expect(fingerprint()).not.toBe(earlier);
  });

  it('changes when a file is deleted', async () => {
    const earlier = fingerprint();
    await rm(join(folder, 'app/ui/button.tsx'));
    expect(fingerprint()).not.toBe(earlier);
  });
});
