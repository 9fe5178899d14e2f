/** What the operating system says about a file, in terms of the catalogue. */
import { CatalogueError } from '@greenroom/errors';
import { failure } from '../../errors.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const BUSY = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY']);
/** Who misses a file says so before: what is not there otherwise is the folder. */
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

/** The code of an error of the operating system, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** An error of a file as one of the catalogue; others, e.g. of the stream that was written, stay what they are. */
export function diskError(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  const code = codeOf(error) ?? '';
  if (FULL.has(code)) return failure('InsufficientStorage', { cause: error });
  if (code === 'EFBIG') return failure('EntityTooLarge', { cause: error });
  if (BUSY.has(code)) return failure('SlowDown', { cause: error });
  if (REFUSED.has(code))
    return failure('InternalError', { message: 'The folder of objects cannot be used', cause: error });
  return error;
}
