import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { instancesFolder } from './instances-folder.ts';

afterEach(() => vi.unstubAllEnvs());

it('test instances are in the folder of TMPDIR', async () => {
  vi.stubEnv('TMPDIR', '/var/tmp');
  expect(await instancesFolder()).toBe('/var/tmp');
});

it('test instances are in memory if it has 2 GB left', async () => {
  vi.stubEnv('TMPDIR', '');
  const free = () => {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize;
  };
  const hasMemory = process.platform === 'linux' && free() >= 2 * 1024 ** 3;
  expect(await instancesFolder()).toBe(hasMemory ? '/dev/shm' : tmpdir());
});
