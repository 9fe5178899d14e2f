/** Maps file system errors to errors of the catalogue. */
import { CatalogueError } from '@greenroom/errors';
import { failure } from '../../errors.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const BUSY = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY']);
/** ENOENT means here that the folder is missing, because callers handle missing files themselves. */
const REFUSED = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENODEV',
  'ENXIO',
]);

/** Returns the code of an operating system error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/**
 * Maps a file system error to an error of the catalogue. Returns other errors, e.g. of the stream that was written,
 * unchanged.
 */
export function diskError(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  const code = codeOf(error) ?? '';
  if (FULL.has(code)) return failure('InsufficientStorage', { cause: error });
  if (code === 'EFBIG') return failure('EntityTooLarge', { cause: error });
  if (BUSY.has(code)) return failure('SlowDown', { cause: error });
  if (REFUSED.has(code))
    return failure('InternalError', { message: 'The folder of objects is not accessible', cause: error });
  return error;
}
