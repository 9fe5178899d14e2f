/** Hook BEFORE_USER_CREATED: can reject a new account before any of its rows is written. */
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import type { NewUser } from '../user/insert.ts';
import { toUser, type User } from '../user/user.ts';
import { emptyOutput } from './hook.ts';
import { plannedRow } from './planned-row.ts';

/** The payload of the hook. */
interface BeforeUserCreatedInput {
  /** The planned account. Its id does not change when it is created. */
  user: User;
}

const hook: Hook<unknown> = {
  name: 'beforeUserCreated',
  payloadName: 'before-user-created',
  output: emptyOutput,
};

/**
 * Call it before every new account, outside of transactions, except for accounts of admins by POST /admin/users (as in
 * GoTrue). Throws a `HookFailure`.
 */
export async function beforeUserCreated(
  { hooks, now }: AuthContext,
  request: AuthRequest,
  user: NewUser,
): Promise<void> {
  if (!hooks.isSet(hook.name)) return;
  const input: BeforeUserCreatedInput = { user: toUser(plannedRow(user, now())) };
  await hooks.call(hook, input, request);
}
