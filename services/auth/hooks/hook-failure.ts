/** Errors of hook calls. */
import { CatalogueError } from '@greenroom/errors';
import { failure } from '../errors.ts';
import { SIZE_LIMIT } from './transport.ts';

/** The error of a request that failed because of a hook: the hook rejected it or could not be called. */
class HookFailure extends CatalogueError {}

/** Whether a request failed because of a hook. */
export function isHookFailure(error: unknown): boolean {
  return error instanceof HookFailure;
}

/** Converts any error of a hook call to a {@link HookFailure}. */
export function asHookFailure(error: unknown): HookFailure {
  const known = error instanceof CatalogueError ? error : failure('unexpected_failure', { cause: error });
  const { code, status, message, cause } = known;
  return new HookFailure(code, status, message, cause === undefined ? {} : { cause });
}

/**
 * The error that a hook returned. The hook may choose any error status, so the catalogue cannot list it. The default is
 * 500.
 */
export function rejectedByHook(status: unknown, message: string, cause?: unknown): CatalogueError {
  const occurrence = cause === undefined ? {} : { cause };
  if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600) {
    if (status !== 500) return new CatalogueError('unknown', status, message, occurrence);
  }
  return failure('unexpected_failure', { message, ...occurrence });
}

/** The payload or the output is too large. */
export function tooLarge(): CatalogueError {
  const message = `Payload size exceeded size limit of ${SIZE_LIMIT} bytes`;
  return failure('hook_payload_over_size_limit', { message });
}

/** The hook did not respond in time. */
export function tooSlow(seconds: number): CatalogueError {
  const message = `Failed to reach hook within maximum time of ${seconds} seconds`;
  return failure('hook_timeout', { message });
}
