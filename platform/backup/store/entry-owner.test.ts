/** Owners of the entries of an archive in a folder: real users, which only root can act as. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFolderStore } from './folder.ts';

const PROGRAM = fileURLToPath(new URL('./testing/put-values.ts', import.meta.url));
/** Ids of users that need no names. */
const [OWNER, OTHER] = [54_321, 54_322];

let place: string;
let root: string;
let number = 0;

/** Returns the owners of all entries below a path, and of the path. */
async function ownersIn(path: string): Promise<number[]> {
  const names = await readdir(path, { recursive: true });
  const owners = await Promise.all(
    [path, ...names.map((name) => join(path, name))].map((each) => stat(each)),
  );
  return [...new Set(owners.map(({ uid }) => uid))];
}

/** Creates the folder of an archive as a user creates it. */
async function createFolder(uid: number): Promise<void> {
  await mkdir(root, { mode: 0o700 });
  await chown(root, uid, uid);
}

/** Stores two values as another user; returns the message of the error. */
async function putAs(uid: number): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, root], {
    uid,
    gid: uid,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  await once(child, 'close');
  return output;
}

describe.skipIf(process.getuid?.() !== 0)('entries of an archive in a folder (needs root)', () => {
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'greenroom-owner-'));
    await chmod(place, 0o711);
  });
  beforeEach(() => {
    number += 1;
    root = join(place, `archive-${number}`);
  });
  afterAll(() => rm(place, { recursive: true }));

  it('that root adds belong to the owner of the archive, who can read and replace them', async () => {
    await createFolder(OWNER);
    expect(await putAs(OWNER)).toBe('');
    const store = openFolderStore(root);
    await store.put('leases/maintenance/1', Buffer.from('of root'));
    expect(await store.putIfAbsent('leases/maintenance/2', Buffer.from('of root'))).toBe(true);
    await store.putLater('chunks/95/a', Buffer.from('of root'));
    await store.flush();
    expect(await ownersIn(root)).toEqual([OWNER]);
    expect(await putAs(OWNER)).toBe('');
  });

  it('of a new archive that root creates belong to the owner of the folder', async () => {
    await createFolder(OWNER);
    root = join(root, 'new/archive');
    await openFolderStore(root).put('archive.json', Buffer.from('{}'));
    await openFolderStore(root).put('chunks/95/a', Buffer.from('of root'));
    expect(await ownersIn(join(root, '..'))).toEqual([OWNER]);
  });

  it('of root stay those of root in an archive of root, whose folder belongs to another user', async () => {
    await createFolder(0);
    await openFolderStore(root).put('archive.json', Buffer.from('{}'));
    await chown(root, OWNER, OWNER);
    await openFolderStore(root).put('chunks/95/a', Buffer.from('of root'));
    expect(await ownersIn(join(root, 'chunks'))).toEqual([0]);
  });

  it('of a user who neither is root nor owns the archive are refused, and leave nothing', async () => {
    await createFolder(OWNER);
    expect(await putAs(OWNER)).toBe('');
    const before = await readdir(root, { recursive: true });
    await rename(join(root, 'folder'), join(root, 'former'));
    await chmod(root, 0o777);
    const message = await putAs(OTHER);
    expect(message).toContain(`the archive in ${root} belongs to the user with the id ${OWNER}`);
    expect(message).toContain(`sudo -u '#${OWNER}'`);
    expect(await readdir(root, { recursive: true })).toHaveLength(before.length);
    expect(await ownersIn(root)).toEqual([OWNER]);
  });

  it('of root are refused in a folder that its owner has replaced by a link to another place', async () => {
    await createFolder(OWNER);
    expect(await putAs(OWNER)).toBe('');
    const elsewhere = join(place, 'elsewhere');
    await mkdir(elsewhere);
    const store = openFolderStore(root);
    await store.put('folder/first', Buffer.from('of root'));
    await rename(join(root, 'folder'), join(root, 'moved'));
    await symlink(elsewhere, join(root, 'folder'));
    await expect(store.put('folder/second', Buffer.from('x'))).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(`was moved to ${elsewhere}`),
    });
    await store.putLater('folder/third', Buffer.from('x')).catch(() => undefined);
    expect(await readdir(elsewhere)).toEqual([]);
    expect(await readFile(join(root, 'moved/first'), 'utf8')).toBe('of root');
  });
});
