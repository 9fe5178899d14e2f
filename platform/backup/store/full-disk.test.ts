/** Stores on a full disk: a small file system in memory, in a namespace of the user. Needs Linux. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'testing/fill-disk.ts');
const NAMESPACE = ['--user', '--map-root-user', '--mount', 'sh', '-c'];
const MOUNT = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"';

const withSmallDisk = (folder: string, ...command: string[]) =>
  spawnSync('unshare', [...NAMESPACE, MOUNT, folder, ...command], { encoding: 'utf8' });
const isSupported = withSmallDisk(tmpdir(), 'true').status === 0;

describe.skipIf(!isSupported)('a full disk (needs user namespaces of Linux)', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-full-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['folder', 'file'])('is reported by the store of a %s, which keeps all earlier values', (kind) => {
    const { stdout, stderr } = withSmallDisk(folder, process.execPath, PROGRAM, folder, kind);
    expect(stderr).toBe('');
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ kind: 'full', partial: [] });
    expect(result.message).toContain('the disk is full; free space or prune the archive');
    expect(result.written).toBeGreaterThan(3);
  });
});
