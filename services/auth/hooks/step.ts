/**
 * The steps at the end of a request: statements, and messages that a hook sends. The hook is called at the end of the
 * transaction that stores the code. If it fails, the transaction rolls back, and functions of the database see the
 * final state.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { isHookFailure } from './hook-failure.ts';

/** A message that a hook sends. */
export interface HookMessage {
  /** Throws a `HookFailure`. */
  send(context: AuthContext, request: AuthRequest, tx: Transaction): Promise<void>;
}

/** One step of a request. */
export type Step = Statement | HookMessage;

/** Performs all steps or none. Returns the rows of each statement, in order. */
export async function perform(
  context: AuthContext,
  request: AuthRequest,
  steps: readonly Step[],
): Promise<Record<string, unknown>[][]> {
  const statements = steps.filter((step): step is Statement => !isHookMessage(step));
  const messages = steps.filter(isHookMessage);
  if (messages.length === 0) {
    const results = await context.database.batch(statements);
    context.outbox.wake();
    return results;
  }
  return context.hooks.transaction((tx) => performWithin(tx, context, request, steps));
}

/** Performs all steps at the end of a transaction and commits it. */
export async function performWithin(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  steps: readonly Step[],
): Promise<Record<string, unknown>[][]> {
  const results = await tx.batch(steps.filter((step): step is Statement => !isHookMessage(step)));
  for (const message of steps.filter(isHookMessage)) await message.send(context, request, tx);
  await tx.commit();
  context.outbox.wake();
  return results;
}

/**
 * Like {@link perform}, but ignores failures of hooks, because an error would reveal that there is an account. After a
 * failure nothing is written, and the log has the reason.
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

function isHookMessage(step: Step): step is HookMessage {
  return 'send' in step;
}
