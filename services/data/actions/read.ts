/** GET and HEAD of a relation. */

import type { Header } from '../headers.ts';
import { parametersOf, slotsOf } from '../plan/slots.ts';
import { shapeOf } from '../query/shape.ts';
import type { Action } from '../request/method.ts';
import { requireKnownPreferences } from '../request/preferences.ts';
import type { Answer } from '../respond/answer.ts';
import { contentLocationOf, locationHeader } from '../respond/headers.ts';
import type { ActionContext } from './context.ts';
import { planAnswer } from './plan-answer.ts';
import { type PreparedRows, prepareRows, rowsKey } from './prepare-rows.ts';
import { requireRelation } from './require-relation.ts';
import { appliedHeaders, rowsAnswer } from './rows-answer.ts';
import { runStatement } from './run-statement.ts';

type ReadAction = Extract<Action, { kind: 'read' }>;

/**
 * Reads rows.
 * @throws PGRST205, what {@link prepareRows} throws, PGRST122, PostgreSQL's errors, what {@link rowsAnswer} throws
 */
export async function read(context: ActionContext, action: ReadAction): Promise<Answer> {
  const { snapshot, preferences, query, range } = context;
  const values = [...parametersOf(query), String(range.limit), String(range.offset)];
  const key = rowsKey(context, [action.isHead ? 'head' : 'get', action.relation, shapeOf(query)]);
  const { main, estimate, negotiated, warnings } = snapshot.plans.get(key, () => prepare(context, action));
  requireKnownPreferences(preferences);
  context.timing?.lap('plan');
  const outcome = await runStatement(context, { main, estimate, values, isReadOnly: true });
  if (main.explains) return planAnswer(context, negotiated, outcome);
  const headers: Header[] = [
    ...locationHeader('content-location', contentLocationOf(action.relation, context.given)),
    ...appliedHeaders(preferences, action),
    ...warnings,
  ];
  return rowsAnswer(context, { outcome, negotiated, isHead: action.isHead, headers });
}

function prepare(context: ActionContext, { relation, isHead }: ReadAction): PreparedRows {
  const { snapshot, profile, query, preferences } = context;
  const target = requireRelation(snapshot.cache, { schema: profile.schema, name: relation });
  return prepareRows(context, {
    target: { relation: target },
    handled: target,
    slots: slotsOf(query),
    isHead,
    count: preferences.count,
  });
}
