import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRememberedSettings, rememberSettings } from './index.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-remembered-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('remembers, replaces and forgets settings', async () => {
  expect(await readRememberedSettings(join(folder, 'missing'))).toEqual({});
  await rememberSettings(folder, { A: { value: '1', insteadOf: '0' }, B: { value: 'true' } });
  await rememberSettings(folder, { A: undefined, C: { value: '' } });
  expect(await readRememberedSettings(folder)).toEqual({ B: { value: 'true' }, C: { value: '' } });
  expect((await stat(join(folder, 'remembered.json'))).mode & 0o777).toBe(0o600);
});

it('writes nothing if nothing changes', async () => {
  await rememberSettings(folder, { A: undefined });
  await expect(readFile(join(folder, 'remembered.json'))).rejects.toThrow('ENOENT');
});

it.each(['', '[]', '{"A":"1"}', '{"A":{"value":1}}', '{"A":{"value":"1","insteadOf":2}}', '{"A":null}'])(
  'rejects the file %s by its path',
  async (text) => {
    await writeFile(join(folder, 'remembered.json'), text);
    await expect(readRememberedSettings(folder)).rejects.toThrow(
      `${join(folder, 'remembered.json')} is not valid. Remove it`,
    );
  },
);
