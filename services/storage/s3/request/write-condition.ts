/** Condition of a write: `If-None-Match: *` requires that the object does not exist yet. */
import { CatalogueError } from '@greenroom/errors';
import { s3Failure } from '../errors.ts';
import { headerOf, type S3Request } from './s3-request.ts';

/** Whether a write must not overwrite an object. Throws NotImplemented for ETags, as S3 does. */
export function requiresNewObject(request: Pick<S3Request, 'headers'>): boolean {
  const condition = headerOf(request, 'if-none-match')?.trim() ?? '';
  if (condition !== '' && condition !== '*') {
    throw s3Failure('NotImplemented', { message: 'If-None-Match of a write must be *' });
  }
  return condition === '*';
}

/** Maps KeyAlreadyExists of a write that must not overwrite to PreconditionFailed. */
export function throwPreconditionFailed(error: unknown): never {
  const exists = error instanceof CatalogueError && error.code === 'KeyAlreadyExists';
  throw exists ? s3Failure('PreconditionFailed') : error;
}
