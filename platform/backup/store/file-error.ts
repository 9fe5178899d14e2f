/** Maps errors of the file system to errors of an archive. */
import { ArchiveError, type ArchiveErrorKind } from '../errors.ts';

const KINDS: Readonly<Record<string, ArchiveErrorKind>> = {
  ENOENT: 'missing',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'refused',
  EPERM: 'refused',
  EROFS: 'refused',
  ELOOP: 'refused',
  EEXIST: 'refused',
  ENOTDIR: 'refused',
  EISDIR: 'refused',
  EIO: 'unavailable',
  ESTALE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
};

/** The entries of an archive belong to one user, see `entry-owner.ts`; earlier versions let root add entries of its own. */
const UNREADABLE =
  'this user has no permission; if another user has written it, root can change the owner of the archive: chown -R';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full; free space or prune the archive',
  EDQUOT: 'the quota of the user is used up; free space or prune the archive',
  EFBIG: 'the file would exceed the size limit of the process or of the file system',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ELOOP: 'it is a symbolic link, and links in an archive are not followed',
  EEXIST: 'a file is in the place of a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
};

/** Whether an error of the file system has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}

/**
 * Returns an `ArchiveError` for an error of the file system, and other errors unchanged.
 * @param action what could not be done, e.g. `written`
 */
export function fileError(error: unknown, path: string, action: 'read' | 'written' | 'removed'): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (error instanceof ArchiveError || code === undefined) return error;
  const isUnreadable = code === 'EACCES' && action === 'read';
  const reason = isUnreadable ? UNREADABLE : (REASONS[code] ?? (error as Error).message);
  return new ArchiveError(KINDS[code] ?? 'unavailable', `${path} cannot be ${action}: ${reason}`, {
    cause: error,
  });
}
