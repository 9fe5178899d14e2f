/** The answer that tells how PostgreSQL gets at rows, instead of the rows: `application/vnd.pgrst.plan`. */
import type { Outcome } from '../execute/outcome.ts';
import type { Negotiated } from '../request/accept.ts';
import type { Answer } from '../respond/answer.ts';
import type { ActionContext } from './context.ts';
import { contentHeaders } from './rows-answer.ts';

/** The answer. */
export function planAnswer(context: ActionContext, negotiated: Negotiated, { body }: Outcome): Answer {
  return { status: 200, headers: contentHeaders(context, negotiated), body };
}
