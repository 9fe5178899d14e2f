/** Functions are prepared again only if one of their files has changed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectFunction } from '@greenroom/project';
import { expect, it } from 'vitest';
import type { PreparedFunction } from '../source/prepared-function.ts';
import { rememberPrepared } from './prepared-functions.ts';

it('prepares one function at a time, and again after changes only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-prepared-'));
  const file = join(folder, 'index.ts');
  await writeFile(file, 'one');
  // A file that changed while it was prepared is not remembered.
  await sleep(10);
  let [count, running, most] = [0, 0, 0];
  const prepare = rememberPrepared(async () => {
    count += 1;
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    return { hash: String(count), inputs: [file, join(folder, 'absent')] } as unknown as PreparedFunction;
  });
  const source = { name: 'hello', entry: file } as ProjectFunction;
  const all = await Promise.all([prepare(source), prepare(source), prepare(source)]);
  expect([all.map(({ hash }) => hash), most]).toEqual([['1', '1', '1'], 1]);
  await writeFile(file, 'two');
  await sleep(10);
  expect((await prepare(source)).hash).toBe('2');
  expect((await prepare({ ...source, verifiesJwt: false })).hash).toBe('3');
  await writeFile(join(folder, 'absent'), '');
  await sleep(10);
  expect((await prepare({ ...source, verifiesJwt: false })).hash).toBe('4');
  await rm(folder, { recursive: true });
});
