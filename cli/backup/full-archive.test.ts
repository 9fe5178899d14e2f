/** The continuous backup of an instance to a disk that is full: a small file system in memory, which only root may mount. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveStore, openStore } from '@greenroom/backup';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type BackedUpInstance,
  createBackedUpInstance,
  LONG,
  PASSPHRASE,
  requireComplete,
  restoredState,
  shippedTexts,
  storedIn,
} from './testing/backed-up-instance.ts';

const MEGABYTE = 1024 * 1024;
const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'none', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', ['-l', folder]).status === 0;

async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-mount-'));
  const isMounted = mount(folder) && unmount(folder);
  await rm(folder, { recursive: true });
  return isMounted;
}

const isSupported = await canMount();

describe.skipIf(!isSupported)(
  'a full disk of an archive (needs the right to mount)',
  { tags: ['trial'] },
  () => {
    let place: string;
    let disk: string;
    let store: ArchiveStore;
    let instance: BackedUpInstance;
    let env: Record<string, string>;
    const notes: string[] = [];

    beforeAll(async () => {
      place = await mkdtemp(join(tmpdir(), 'greenroom-full-'));
      await chmod(place, 0o711);
      disk = join(place, 'disk');
      await mkdir(disk);
      mount(disk);
      await writeFile(join(place, 'passphrase'), PASSPHRASE, { mode: 0o600 });
      env = {
        GREENROOM_BACKUP_URL: join(disk, 'archive'),
        GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, 'passphrase'),
        GREENROOM_BACKUP_LAG_SECONDS: '1',
      };
      store = await openStore(join(disk, 'archive'));
      instance = await createBackedUpInstance();
    });
    afterAll(async () => {
      await instance[Symbol.asyncDispose]();
      unmount(disk);
      await rm(place, { recursive: true });
    });

    async function write(note: string): Promise<void> {
      notes.push(note);
      await instance.insert(note);
    }

    /** Leaves this much space. */
    async function fill(leftBytes: number): Promise<void> {
      const { bavail, bsize } = await statfs(disk);
      const file = await open(join(disk, 'filler'), 'a');
      for (let left = bavail * bsize - leftBytes; left > 0; left -= MEGABYTE)
        await file.appendFile(Buffer.alloc(Math.min(left, MEGABYTE)));
      await file.close();
    }

    const free = () => rm(join(disk, 'filler'));

    it('while the first backup is created is reported, and the backup is stored when there is space', async () => {
      await fill(2 * MEGABYTE);
      await instance.start(env);
      await vi.waitFor(
        async () => expect(await instance.metric('work{kind="backup",outcome="failed"}')).toBeGreaterThan(0),
        LONG,
      );
      const printed = instance.project.printed();
      expect(printed).toContain('creating a backup failed; it is tried again');
      expect(printed).toContain('the disk is full; free space or prune the archive');
      await write('while no backup can be created');
      await free();
      await instance.waitUntilVerified();
      await instance.waitUntilStored(store);
      await requireComplete(store);
    });

    it('while the log is shipped is reported, and the log continues without a gap when there is space', async () => {
      const before = (await storedIn(store)).backups.length;
      await fill(0);
      await write('on a full disk');
      await instance.upload('kept.txt', 'kept');
      await instance.upload('removed.txt', 'removed');
      await instance.remove('removed.txt');
      await vi.waitFor(async () => expect(await instance.metric('archive_up')).toBe(0), LONG);
      expect(await instance.metric('held_objects')).toBe(1);
      await instance.waitForLog('the archive of backups cannot be written; the log is kept until it can');
      await free();
      await vi.waitFor(async () => expect(await instance.metric('archive_up')).toBe(1), LONG);
      await instance.waitUntilStored(store);
      await requireComplete(store);
      expect(await shippedTexts(store)).toEqual(
        expect.arrayContaining(['kept.txt: kept', 'removed.txt: removed']),
      );
      expect(await instance.metric('held_objects')).toBe(0);
      expect((await storedIn(store)).backups).toHaveLength(before);
      expect(await instance.metric('log_gaps')).toBeLessThanOrEqual(1);
    });

    it('leaves an archive from which all rows and objects are restored', async () => {
      await instance.waitUntilStored(store);
      const restored = await restoredState(instance.project, { env, folder: join(place, 'restored') });
      expect(restored).toEqual({ notes, objects: { 'kept.txt': 'kept' } });
    });
  },
);
