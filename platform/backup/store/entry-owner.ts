/**
 * The owner of the files and folders of an archive. Entries have the modes 0600 and 0700, so the entries of another user would
 * end the backups of the user whose archive it is, e.g. those of an instance after `sudo greenroom backup`.
 */
import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ArchiveError } from '../errors.ts';
import { futureRealPath } from './future-real-path.ts';
import { DESCRIPTION_NAME } from './names.ts';

/** An opened file or folder that this process has created. */
interface NewEntry {
  readonly fd: number;
  stat(): Promise<{ uid: number }>;
  chown(uid: number, gid: number): Promise<void>;
}

/**
 * Gives a new entry to the owner of the archive. Rejects with kind `refused` if the owner could not read it.
 * @param path the absolute path with which the entry was created
 */
export type ClaimEntry = (entry: NewEntry, path: string) => Promise<void>;

interface Owner {
  uid: number;
  gid: number;
}

const keepAll: ClaimEntry = async () => {};

/**
 * Returns how new entries get their owner. An archive has the owner of its description. A new one that root creates has the
 * owner of its folder, or of the folder in which that is created.
 * @param root the absolute path of the archive, of which nothing has been created yet
 */
export async function findEntryOwner(root: string): Promise<ClaimEntry> {
  const user = process.geteuid?.();
  if (user === undefined) return keepAll;
  const realRoot = await futureRealPath(root);
  const existing = await ownerOf(join(realRoot, DESCRIPTION_NAME));
  if (existing === undefined && user !== 0) return keepAll;
  const owner = existing ?? (await ownerOfNearest(realRoot));
  return async (entry, path) => {
    // Some file systems, e.g. of other machines, give all entries to one user.
    if ((await entry.stat()).uid === owner.uid) return;
    if (user === 0) {
      const real = await pathOf(entry);
      // The owner of the archive can replace its folders by links, and must not get files of other places by that.
      if (real !== undefined && real !== join(realRoot, relative(root, path)))
        throw new ArchiveError('refused', `${path} was moved to ${real} while it was written`);
      if (real !== undefined && (await canGive(entry, owner))) return;
    }
    if (existing !== undefined) throw otherOwner(root, owner.uid, user);
  };
}

/** Returns the error of a user who does not own the archive. */
function otherOwner(root: string, owner: number, user: number): ArchiveError {
  return new ArchiveError(
    'refused',
    `the archive in ${root} belongs to the user with the id ${owner}, who could not read files of this user (${user}): run the command as that user, e.g. by sudo -u '#${owner}'`,
  );
}

async function canGive(entry: NewEntry, { uid, gid }: Owner): Promise<boolean> {
  return entry.chown(uid, gid).then(
    () => true,
    () => false,
  );
}

/** Returns the path that the system has for an opened entry; undefined on systems that do not name it. */
async function pathOf({ fd }: NewEntry): Promise<string | undefined> {
  return readlink(`/proc/self/fd/${fd}`).catch(() => undefined);
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  return lstat(path).catch(() => undefined);
}

async function ownerOfNearest(path: string): Promise<Owner> {
  return (await ownerOf(path)) ?? ownerOfNearest(dirname(path));
}
