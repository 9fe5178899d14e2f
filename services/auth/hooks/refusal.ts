/** Errors of hooks. */
import { CatalogueError } from '@greenroom/errors';
import { failure } from '../errors.ts';
import { SIZE_LIMIT } from './transport.ts';

/** A request that fails because of a hook, be it that the hook refused or that it could not be asked. */
class HookFailure extends CatalogueError {}

/** Whether a request failed because of a hook. */
export function isHookFailure(error: unknown): boolean {
  return error instanceof HookFailure;
}

/** Anything thrown while a hook was asked, as a {@link HookFailure}. */
export function asHookFailure(error: unknown): HookFailure {
  const known = error instanceof CatalogueError ? error : failure('unexpected_failure', { cause: error });
  const { code, status, message, cause } = known;
  return new HookFailure(code, status, message, cause === undefined ? {} : { cause });
}

/**
 * What a hook wants to be answered. Its status is its own affair as long as it is one of an error, so the catalogue
 * cannot list it; without one it is 500.
 */
export function refusedByHook(status: unknown, message: string, cause?: unknown): CatalogueError {
  const occurrence = cause === undefined ? {} : { cause };
  if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600) {
    if (status !== 500) return new CatalogueError('unknown', status, message, occurrence);
  }
  return failure('unexpected_failure', { message, ...occurrence });
}

/** A question or an answer that is too long. */
export function tooLarge(): CatalogueError {
  const message = `Payload size exceeded size limit of ${SIZE_LIMIT} bytes`;
  return failure('hook_payload_over_size_limit', { message });
}

/** No answer in time. */
export function tooSlow(seconds: number): CatalogueError {
  const message = `Failed to reach hook within maximum time of ${seconds} seconds`;
  return failure('hook_timeout', { message });
}
