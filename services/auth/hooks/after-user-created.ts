/** Hook AFTER_USER_CREATED: is told of a new account, once it is there. */
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { toUser, type User, type UserRow } from '../user/user.ts';
import { emptyOutput } from './hook.ts';

/** What the hook reads. */
interface AfterUserCreatedInput {
  user: User;
}

const hook: Hook<unknown> = {
  name: 'afterUserCreated',
  calledAs: 'after-user-created',
  output: emptyOutput,
};

/**
 * To be called wherever `beforeUserCreated` was, after the account is committed. Throws a `HookFailure`: the request
 * fails, as with GoTrue; the account stays.
 */
export async function afterUserCreated(
  { hooks }: AuthContext,
  request: AuthRequest,
  user: UserRow | undefined,
): Promise<void> {
  if (!hooks.isSet(hook.name) || user === undefined) return;
  const input: AfterUserCreatedInput = { user: toUser(user) };
  await hooks.ask(hook, input, request);
}
