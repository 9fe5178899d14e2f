/** POST, PATCH, PUT and DELETE of a relation. */
import type { Outcome } from '../execute/outcome.ts';
import type { Header } from '../headers.ts';
import { planRead } from '../plan/read-plan.ts';
import { parametersOf, slotsOf } from '../plan/slots.ts';
import { planWrite, requireWritten, type WritePlan } from '../plan/write-plan.ts';
import { shapeOf } from '../query/shape.ts';
import type { Negotiated } from '../request/accept.ts';
import { type JsonBody, type RequestBody, readBody } from '../request/body.ts';
import { headerOf } from '../request/data-request.ts';
import type { Action } from '../request/method.ts';
import { maxAffectedOf, requireKnownPreferences } from '../request/preferences.ts';
import { type Answer, withFunctionsWishes } from '../respond/answer.ts';
import { writtenExtent } from '../respond/content-range.ts';
import { locationHeader, locationOf } from '../respond/headers.ts';
import {
  requireMaxAffected,
  requireSingleRow,
  tellsRows,
  type WriteKind,
  writeStatus,
} from '../respond/status.ts';
import type { SqlText } from '../sql/sql.ts';
import { explainedWriteStatement, readLocation, WRITTEN, writeStatements } from '../sql/write.ts';
import { chooseHandler } from './choose-handler.ts';
import { type ActionContext, bodyTurns } from './context.ts';
import { legacyNameWarnings } from './legacy-names.ts';
import { planAnswer } from './plan-answer.ts';
import { requireRelation } from './require-relation.ts';
import { appliedHeaders, contentHeaders } from './rows-answer.ts';
import { runStatement, type StatementRun } from './run-statement.ts';

type WriteAction = Extract<Action, { kind: WriteKind }>;

/** What does not depend on values. */
interface PreparedWrite {
  write?: SqlText;
  main: SqlText & { explains: boolean };
  plan: WritePlan;
  negotiated: Negotiated;
  warnings: readonly Header[];
}

/**
 * Writes rows.
 * @throws PGRST102, PGRST205, what planning a write and a read throw, PGRST122, PGRST107, PostgreSQL's errors, PGRST115,
 *   PGRST116, PGRST124, PGRST111, PGRST112
 */
export async function write(context: ActionContext, action: WriteAction): Promise<Answer> {
  const { snapshot, preferences, query, request } = context;
  const contentType = headerOf(request, 'content-type');
  const reading = readBody({ action, contentType, bytes: request.body, columns: query.columns }, () =>
    bodyTurns(context),
  );
  const body = rowsOf(reading instanceof Promise ? await reading : reading);
  context.timing?.lap('parse');
  const prepared = snapshot.plans.get(keyOf(context, action, body), () => prepare(context, action, body));
  requireKnownPreferences(preferences);
  context.timing?.lap('plan');
  const { write: own, main, negotiated } = prepared;
  const outcome = await runStatement(context, {
    write: own,
    main,
    // A write has no limit and no offset.
    values: [...parametersOf(query), null, null, ...(body === undefined ? [] : [body.json])],
    isReadOnly: false,
    checks: main.explains ? [] : checksOf(context, action, prepared),
  });
  if (main.explains) return planAnswer(context, negotiated, outcome);
  return writtenAnswer(context, action, prepared, outcome);
}

/** Rows come as JSON, whatever they were sent as. */
function rowsOf(body: RequestBody | undefined): JsonBody | undefined {
  if (body === undefined || body.kind === 'json') return body;
  throw new Error(`rows cannot be a ${body.kind}`);
}

function keyOf(
  { profile, preferences, query, request }: ActionContext,
  { kind, relation }: WriteAction,
  body: JsonBody | undefined,
): string {
  const { resolution, missing, count } = preferences;
  const given = JSON.stringify([
    resolution,
    missing,
    preferences.return,
    count,
    body?.isArray,
    body?.columns,
  ]);
  // Only the relation's name could have a NUL in it.
  return [kind, relation, given, profile.schema, request.headers.accept ?? '', shapeOf(query)].join('\0');
}

function prepare(
  context: ActionContext,
  { kind, relation: name }: WriteAction,
  body: JsonBody | undefined,
): PreparedWrite {
  const { snapshot, profile, query, preferences } = context;
  const { config, cache } = snapshot;
  const relation = requireRelation(cache, { schema: profile.schema, name });
  const slots = slotsOf(query);
  const plan = planWrite({ kind, relation, query, body, preferences }, cache, slots);
  const node = planRead(
    query,
    cache,
    { relation, cte: WRITTEN },
    {
      isWrite: true,
      slots,
      allowsAggregates: config.allowsAggregates,
      allowsTargetNames: config.allowsTargetNames,
    },
  );
  requireKnownPreferences(preferences);
  const negotiated = chooseHandler(context, relation);
  const { mediaType, handler } = negotiated;
  const options = { format: handler, count: preferences.count };
  const explains = mediaType.kind === 'plan';
  const warnings = legacyNameWarnings(node);
  if (explains) {
    const main = explainedWriteStatement(plan, node, options, mediaType);
    return { main: { ...main, explains }, plan, negotiated, warnings };
  }
  const { main, ...before } = writeStatements(plan, node, options);
  return { ...before, main: { ...main, explains }, plan, negotiated, warnings };
}

function checksOf(
  { preferences }: ActionContext,
  action: WriteAction,
  { plan, negotiated }: PreparedWrite,
): StatementRun['checks'] {
  const maxAffected = maxAffectedOf(preferences, action);
  const isSingle = negotiated.handler.kind === 'object' && action.kind !== 'put';
  return [
    plan.requiresOneRow && (({ pageCount }) => requireWritten(plan, pageCount)),
    isSingle && (({ pageCount }) => requireSingleRow(pageCount)),
    maxAffected !== undefined && (({ pageCount }) => requireMaxAffected(pageCount, maxAffected)),
  ];
}

function writtenAnswer(
  context: ActionContext,
  action: WriteAction,
  { plan, negotiated, warnings }: PreparedWrite,
  outcome: Outcome,
): Answer {
  const { preferences } = context;
  const { kind, relation } = action;
  const key = readLocation(plan, outcome.location);
  const isTold = tellsRows(preferences);
  const headers: Header[] = [
    ...(key === undefined ? [] : locationHeader('location', locationOf(relation, key))),
    ...(kind === 'put'
      ? []
      : [['content-range', writtenExtent(kind, outcome.pageCount, outcome.totalCount)] as const]),
    ...appliedHeaders(preferences, action, plan.arbiter.length > 0),
    ...(isTold ? contentHeaders(context, negotiated) : []),
    ...warnings,
  ];
  const answer: Answer = {
    status: writeStatus(kind, preferences, outcome.insertedCount),
    headers,
    body: isTold ? (outcome.body ?? '') : undefined,
  };
  return withFunctionsWishes(answer, outcome);
}
