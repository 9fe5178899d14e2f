/** The respond stage: converts the outcome of the statements to a response. */
import { discardBody, type Outcome } from '../execute/outcome.ts';
import { requireRowCount } from '../execute/row-count.ts';
import { isReadOnly } from '../execute/transaction.ts';
import type { ExecutionPlan } from '../plan/request-plan.ts';
import type { RequestHead } from '../request/parse-request.ts';
import type { Answer } from './answer.ts';
import { contentHeaders } from './content-headers.ts';
import { type DocumentContext, documentAnswer } from './document-answer.ts';
import { rowsAnswer } from './rows-answer.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * Creates the response to a request. Returns a promise only for the OpenAPI document.
 * @throws PGRST103, PGRST111, PGRST112; for a read-only transaction also PGRST116 and PGRST124, which other
 *   transactions check before the commit
 */
export function respond(
  outcome: Outcome,
  plan: ExecutionPlan,
  request: RequestHead,
  context: DocumentContext,
): Answer | Promise<Answer> {
  try {
    if (isReadOnly(plan)) requireRowCount(plan, request.preferences, outcome.pageCount);
    return responseOf(outcome, plan, request, context);
  } catch (error) {
    discardBody(outcome);
    throw error;
  }
}

function responseOf(
  outcome: Outcome,
  plan: ExecutionPlan,
  request: RequestHead,
  context: DocumentContext,
): Answer | Promise<Answer> {
  if (plan.kind === 'describe') return documentAnswer(outcome, plan, request.profile, context);
  if (plan.explains) {
    return { status: 200, headers: contentHeaders(request.profile, plan.negotiated), body: outcome.body };
  }
  if (plan.kind === 'read' || plan.kind === 'call') {
    return rowsAnswer(outcome, plan, request, context.config.maxRows);
  }
  return writeAnswer(outcome, plan, request);
}
