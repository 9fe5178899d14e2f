/** Hook AFTER_USER_CREATED: notifies of a new account after its transaction has committed. */
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { toUser, type User, type UserRow } from '../user/user.ts';
import { emptyOutput } from './hook.ts';

/** The payload of the hook. */
interface AfterUserCreatedInput {
  user: User;
}

const hook: Hook<unknown> = {
  name: 'afterUserCreated',
  payloadName: 'after-user-created',
  output: emptyOutput,
};

/**
 * Call it wherever `beforeUserCreated` was called, after the account is committed. Throws a `HookFailure`: the request
 * fails, as in GoTrue, but the account stays.
 */
export async function afterUserCreated(
  { hooks }: AuthContext,
  request: AuthRequest,
  user: UserRow | undefined,
): Promise<void> {
  if (!hooks.isSet(hook.name) || user === undefined) return;
  const input: AfterUserCreatedInput = { user: toUser(user) };
  await hooks.call(hook, input, request);
}
