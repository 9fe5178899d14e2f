import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBuilds, recordBuild } from './build-history.ts';

const DAY_MS = 24 * 3600 * 1000;
let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenroom-builds-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Records a build with these files after the build `previous`. */
async function build(name: string, files: string[], previous: string, timestamp: number): Promise<string> {
  const folder = join(root, name);
  await mkdir(join(folder, 'client/assets'), { recursive: true });
  for (const file of files) await writeFile(join(folder, 'client/assets', file), `${file} of ${name}`);
  await recordBuild(folder, previous, { id: name, timestamp });
  return folder;
}

async function json(folder: string, path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, 'client/assets/builds', path), 'utf8'));
}

const filesOf = async (folder: string) =>
  (await readdir(join(folder, 'client/assets'))).filter((name) => name.endsWith('.js')).sort();

describe('recordBuild', () => {
  it('writes the manifests of the first build', async () => {
    const folder = await build('aaaa', ['a.js', 'shared.js'], join(root, 'none'), 1000);
    expect(await json(folder, 'latest.json')).toEqual({ id: 'aaaa', timestamp: 1000 });
    expect(await json(folder, 'meta/aaaa.json')).toEqual({ id: 'aaaa', timestamp: 1000, prerendered: [] });
    expect((await readBuilds(folder)).map(({ id }) => id)).toEqual(['aaaa']);
  });

  it('keeps the files of the previous build and prefers new ones of the same name', async () => {
    const first = await build('aaaa', ['a.js', 'shared.js'], join(root, 'none'), 1000);
    const second = await build('bbbb', ['b.js', 'shared.js'], first, 2000);
    expect(await filesOf(second)).toEqual(['a.js', 'b.js', 'shared.js']);
    expect(await readFile(join(second, 'client/assets/shared.js'), 'utf8')).toBe('shared.js of bbbb');
    expect(await json(second, 'latest.json')).toEqual({ id: 'bbbb', timestamp: 2000 });
    expect(await json(second, 'meta/aaaa.json')).toMatchObject({ id: 'aaaa' });
  });

  it('lists a rebuilt build once', async () => {
    const first = await build('aaaa', ['a.js'], join(root, 'none'), 1000);
    const second = await build('bbbb', ['b.js'], first, 2000);
    await rm(first, { recursive: true });
    const third = await build('aaaa', ['a.js'], second, 3000);
    expect((await readBuilds(third)).map(({ id }) => id)).toEqual(['aaaa', 'bbbb']);
  });

  it('keeps at most five older builds', async () => {
    let previous = join(root, 'none');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) {
      previous = await build(name, [`${name}.js`], previous, 1000);
    }
    expect(await filesOf(previous)).toEqual(['a2.js', 'a3.js', 'a4.js', 'a5.js', 'a6.js', 'a7.js']);
  });

  it('drops builds older than thirty days except the previous one', async () => {
    const first = await build('a1', ['a1.js'], join(root, 'none'), 0);
    const second = await build('a2', ['a2.js'], first, DAY_MS);
    const third = await build('a3', ['a3.js'], second, 40 * DAY_MS);
    expect(await filesOf(third)).toEqual(['a2.js', 'a3.js']);
  });
});
