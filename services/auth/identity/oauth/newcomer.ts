/** Accounts that a hook has to agree to before they are made. */
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { beforeUserCreated } from '../../hooks/before-user-created.ts';
import type { NewUser } from '../../user/insert.ts';

/** Thrown where an account is about to be made: whether there is one is only known within the transaction. */
export class Newcomer extends Error {
  readonly user: NewUser;

  constructor(user: NewUser) {
    super('an account would be made');
    this.user = user;
  }
}

/**
 * Does work that may make an account: where it would, the hook is asked outside of the transaction, and the work is done
 * again. Throws what the hook refuses with.
 */
export async function askingForNewcomers<T>(
  context: AuthContext,
  request: AuthRequest,
  work: (newcomer: NewUser | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await work(undefined);
  } catch (error) {
    if (!(error instanceof Newcomer)) throw error;
    await beforeUserCreated(context, request, error.user);
    return work(error.user);
  }
}
