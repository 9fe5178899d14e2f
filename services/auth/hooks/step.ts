/**
 * What a request does at its end: statements, and messages that a hook sends. A message is handed over in the
 * transaction that stores its code, after everything else of it: where the hook refuses, nothing was written, and what
 * the hook looks up is as it will be.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { isHookFailure } from './refusal.ts';

/** A message that is left to a hook. */
export interface Sending {
  /** Throws a `HookFailure`. */
  send(context: AuthContext, request: AuthRequest, tx: Transaction): Promise<void>;
}

/** One thing to be done. */
export type Step = Statement | Sending;

/** Does all steps or none. Answers the rows of the statements, in their order. */
export async function perform(
  context: AuthContext,
  request: AuthRequest,
  steps: readonly Step[],
): Promise<Record<string, unknown>[][]> {
  const statements = steps.filter((step): step is Statement => !isSending(step));
  const sendings = steps.filter(isSending);
  if (sendings.length === 0) {
    const results = await context.database.batch(statements);
    context.outbox.wake();
    return results;
  }
  return context.hooks.transaction((tx) => performWithin(tx, context, request, steps));
}

/** Does all steps at the end of a transaction, and commits it. */
export async function performWithin(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  steps: readonly Step[],
): Promise<Record<string, unknown>[][]> {
  const results = await tx.batch(steps.filter((step): step is Statement => !isSending(step)));
  for (const sending of steps.filter(isSending)) await sending.send(context, request, tx);
  await tx.commit();
  context.outbox.wake();
  return results;
}

/**
 * The same for requests that only send something to people who have an account: that the hook failed would say that
 * there is one. Nothing is written then, and the log has the reason.
 */
export async function performSilently(
  context: AuthContext,
  request: AuthRequest,
  steps: readonly Step[],
): Promise<void> {
  try {
    await perform(context, request, steps);
  } catch (error) {
    if (!isHookFailure(error)) throw error;
  }
}

function isSending(step: Step): step is Sending {
  return 'send' in step;
}
