/**
 * Asks hook BEFORE_USER_CREATED for an approval when only the transaction finds out whether an account will be created.
 */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import type { NewUser } from '../user/insert.ts';
import { beforeUserCreated } from './before-user-created.ts';

/** The result of work that needs an approval for a new account before it can continue. */
export interface ApprovalRequired {
  approvalFor: NewUser;
}

/** Whether work returned that it needs an approval. */
export function isApprovalRequired(result: object): result is ApprovalRequired {
  return 'approvalFor' in result;
}

/**
 * Whether an account needs an approval.
 * @param approved the account that was already approved, if any
 */
export function needsApproval({ hooks }: Pick<AuthContext, 'hooks'>, approved: NewUser | undefined): boolean {
  return approved === undefined && hooks.isSet('beforeUserCreated');
}

/**
 * Runs work that may create an account. If the work needs an approval, calls the hook outside the transaction and runs
 * the work again with the approved account. Throws the hook's error.
 * @param work rolls its transaction back if it returns {@link ApprovalRequired}
 */
export async function withApproval<T extends object>(
  context: AuthContext,
  request: AuthRequest,
  work: (approved: NewUser | undefined) => Promise<T | ApprovalRequired>,
): Promise<T> {
  const first = await work(undefined);
  if (!isApprovalRequired(first)) return first;
  await beforeUserCreated(context, request, first.approvalFor);
  const second = await work(first.approvalFor);
  if (isApprovalRequired(second)) throw new Error('the work requested a second approval of the same account');
  return second;
}
