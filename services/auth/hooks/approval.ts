/** Accounts that hook BEFORE_USER_CREATED has to approve before they are made. */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import type { NewUser } from '../user/insert.ts';
import { beforeUserCreated } from './before-user-created.ts';

/** The result of work that cannot go on before an account is approved. Whether there is one is only known within the transaction. */
export interface ApprovalRequired {
  approvalFor: NewUser;
}

/** Whether work needs an account to be approved first. */
export function isApprovalRequired(result: object): result is ApprovalRequired {
  return 'approvalFor' in result;
}

/** Whether an account has to be approved. @param approved the account that was, where one was */
export function needsApproval({ hooks }: Pick<AuthContext, 'hooks'>, approved: NewUser | undefined): boolean {
  return approved === undefined && hooks.isSet('beforeUserCreated');
}

/**
 * Does work that may make an account: where the result is that one must be approved, the hook is asked outside of the
 * transaction, and the work is done again with it. Throws what the hook refuses with.
 * @param work takes its transaction back where it answers {@link ApprovalRequired}
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
  if (isApprovalRequired(second)) throw new Error('an approved account was to be approved again');
  return second;
}
