/** The respond stage: converts the outcome of the statements to a response. */
import { discardBody, type Outcome } from '../execute/outcome.ts';
import { requireRowCount } from '../execute/row-count.ts';
import { isReadOnly } from '../execute/transaction.ts';
import type { ExecutionPlan } from '../plan/request-plan.ts';
import type { RequestHead } from '../request/parse-request.ts';
import { contentHeaders } from './content-headers.ts';
import { type DocumentContext, documentResponse } from './document-response.ts';
import type { HttpResponse } from './http-response.ts';
import { rowsResponse } from './rows-response.ts';
import { writeResponse } from './write-response.ts';

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
): HttpResponse | Promise<HttpResponse> {
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
): HttpResponse | Promise<HttpResponse> {
  if (plan.kind === 'describe') return documentResponse(outcome, plan, request.profile, context);
  if (plan.explains) {
    return { status: 200, headers: contentHeaders(request.profile, plan.negotiated), body: outcome.body };
  }
  if (plan.kind === 'read' || plan.kind === 'call') {
    return rowsResponse(outcome, plan, request, context.config.maxRows);
  }
  return writeResponse(outcome, plan, request);
}
