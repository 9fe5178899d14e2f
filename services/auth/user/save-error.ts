/** Maps database errors of user writes to the error catalogue. */
import { CatalogueError } from '@greenroom/errors';
import { failure } from '../errors.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';

/**
 * Maps an error of writing a user to a catalogue error. Catalogue errors pass through. @param doing e.g.
 * `creating`
 */
export function toSaveFailure(error: unknown, doing: string): unknown {
  if (error instanceof CatalogueError) return error;
  switch (violatedUniqueConstraint(error)) {
    case 'users_email_partial_key':
      return failure('email_exists');
    case 'users_phone_key':
      return failure('phone_exists');
    case 'users_pkey':
      return failure('user_already_exists', { message: 'A user with this id has already been registered' });
    default:
      return failure('unexpected_failure', { message: `Database error ${doing} user`, cause: error });
  }
}
