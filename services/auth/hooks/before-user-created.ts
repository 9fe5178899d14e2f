/** Hook BEFORE_USER_CREATED: may refuse an account before anything of it is written. */
import type { AuthContext } from '../context.ts';
import type { Hook } from '../contracts/hooks.ts';
import type { AuthRequest } from '../contracts/request.ts';
import type { NewUser } from '../user/insert.ts';
import { toUser, type User } from '../user/user.ts';
import { emptyOutput } from './hook.ts';
import { plannedRow } from './planned-row.ts';

/** What the hook reads. */
interface BeforeUserCreatedInput {
  /** As it would be made: its id is the later one's. */
  user: User;
}

const hook: Hook<unknown> = {
  name: 'beforeUserCreated',
  calledAs: 'before-user-created',
  output: emptyOutput,
};

/**
 * To be called before every new account, outside of transactions, whoever makes it but an admin by POST /admin/users
 * (as with GoTrue). Throws a `HookFailure`.
 */
export async function beforeUserCreated(
  { hooks, now }: AuthContext,
  request: AuthRequest,
  user: NewUser,
): Promise<void> {
  if (!hooks.isSet(hook.name)) return;
  const input: BeforeUserCreatedInput = { user: toUser(plannedRow(user, now())) };
  await hooks.ask(hook, input, request);
}
