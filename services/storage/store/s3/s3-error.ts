/**
 * Maps errors of an S3 store to errors of the catalogue. If the store rejects our credentials, clients see an internal
 * error without details.
 */
import { CatalogueError } from '@greenroom/errors';
import { failure, type StorageErrorCode } from '../../errors.ts';

const CODES: Readonly<Record<string, StorageErrorCode>> = {
  NoSuchKey: 'NoSuchKey',
  NotFound: 'NoSuchKey',
  NoSuchUpload: 'NoSuchUpload',
  InvalidPart: 'MissingPart',
  InvalidPartOrder: 'MissingPart',
  EntityTooLarge: 'EntityTooLarge',
  InvalidRange: 'InvalidRange',
  KeyTooLongError: 'InvalidKey',
  SlowDown: 'SlowDown',
  ServiceUnavailable: 'SlowDown',
  TooManyRequestsException: 'SlowDown',
};

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'TimeoutError',
]);

interface StoreError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Returns the name of an error of the store, e.g. `NoSuchUpload`. */
export function nameOf(error: unknown): string | undefined {
  return (error as StoreError | undefined)?.name;
}

/** Returns the HTTP status of an error response of the store. */
export function statusOf(error: unknown): number | undefined {
  return (error as StoreError | undefined)?.$metadata?.httpStatusCode;
}

/**
 * Maps an error of the store to an error of the catalogue. Returns other errors, e.g. of the stream that was sent,
 * unchanged.
 */
export function storeError(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  const { name = '', code = '' } = error as StoreError;
  const known = Object.hasOwn(CODES, name) ? CODES[name] : undefined;
  if (known !== undefined) return failure(known, { cause: error });
  if (name === 'EntityTooSmall')
    return failure('InvalidRequest', {
      message: 'A part other than the last is smaller than 5 MB',
      cause: error,
    });
  if (UNREACHABLE.has(code) || UNREACHABLE.has(name))
    return failure('InternalError', { message: 'The object store cannot be reached', cause: error });
  if (statusOf(error) !== undefined)
    return failure('InternalError', { message: 'The object store rejected the request', cause: error });
  return error;
}
