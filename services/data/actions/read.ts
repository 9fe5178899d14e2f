/** GET and HEAD of a relation. */
import { planRead } from '../plan/read-plan.ts';
import { parametersOf, slotsOf } from '../plan/slots.ts';
import { parametersIn } from '../query/form.ts';
import { shapeOf } from '../query/shape.ts';
import { type Negotiated, negotiate } from '../request/accept.ts';
import { headerOf } from '../request/data-request.ts';
import type { Action } from '../request/method.ts';
import { preferenceApplied, requireKnownPreferences } from '../request/preferences.ts';
import type { Answer } from '../respond/answer.ts';
import { contentLocationOf, type Header } from '../respond/headers.ts';
import type { SqlText } from '../sql/sql.ts';
import {
  explainedReadStatement,
  plannedCountStatement,
  readStatement,
  type StatementOptions,
} from '../sql/statement.ts';
import type { ActionContext } from './context.ts';
import { legacyNameWarnings } from './legacy-names.ts';
import { planAnswer } from './plan-answer.ts';
import { requireRelation } from './require-relation.ts';
import { rowsAnswer } from './rows-answer.ts';
import { runStatement } from './run-statement.ts';

type ReadAction = Extract<Action, { kind: 'read' }>;

/** What does not depend on values: the same for all requests of a shape. */
interface PreparedRead {
  main: SqlText;
  estimate: SqlText | undefined;
  negotiated: Negotiated;
  warnings: readonly Header[];
}

/**
 * Reads rows.
 * @throws PGRST205, what planning and negotiating throw, PGRST122, PostgreSQL's errors, what {@link rowsAnswer} throws
 */
export async function read(context: ActionContext, action: ReadAction): Promise<Answer> {
  const { snapshot, preferences, query, range } = context;
  const values = [...parametersOf(query), String(range.limit), String(range.offset)];
  const prepared = snapshot.plans.get(keyOf(context, action), () => prepare(context, action));
  requireKnownPreferences(preferences);
  const { main, estimate, negotiated, warnings } = prepared;
  const explains = negotiated.mediaType.kind === 'plan';
  const outcome = await runStatement(context, {
    main: { ...main, explains },
    estimate,
    values,
    isReadOnly: true,
  });
  if (explains) return planAnswer(context, negotiated, outcome);
  const location = contentLocationOf(action.relation, parametersIn(context.request.queryString));
  const applied = preferenceApplied(preferences, action, { hasArbiter: false });
  const headers: Header[] = [
    ['content-location', location],
    ...(applied === undefined ? [] : [['preference-applied', applied] as const]),
    ...warnings,
  ];
  return rowsAnswer(context, { outcome, negotiated, isHead: action.isHead, headers });
}

function keyOf(
  { request, profile, query, range, preferences }: ActionContext,
  { relation, isHead }: ReadAction,
): string {
  const flags = `${isHead ? 'h' : 'r'}${range.limit === undefined ? '' : 'l'}${range.offset === 0 ? '' : 'o'}`;
  const accept = headerOf(request, 'accept') ?? '';
  // Only the relation's name could have a NUL in it, so no two requests of different kinds have one key.
  return [flags, preferences.count ?? '', profile.schema, relation, accept, shapeOf(query)].join('\0');
}

function prepare(context: ActionContext, { relation, isHead }: ReadAction): PreparedRead {
  const { snapshot, profile, query, range, accepted, preferences } = context;
  const { config, cache } = snapshot;
  const target = requireRelation(cache, { schema: profile.schema, name: relation });
  const slots = slotsOf(query);
  const node = planRead(
    query,
    cache,
    { relation: target },
    {
      slots,
      limit: range.limit === undefined ? undefined : slots.count,
      offset: range.offset === 0 ? undefined : slots.count + 1,
      maxRows: config.maxRows,
      allowsAggregates: config.allowsAggregates,
      allowsTargetNames: config.allowsTargetNames,
    },
  );
  const negotiated = negotiate(accepted, {
    handlers: cache.mediaHandlers,
    target,
    hasDefaultSelect: !query.hasSelect,
    isPlanEnabled: config.allowsPlans,
  });
  const options: StatementOptions = {
    format: isHead ? { kind: 'none' } : negotiated.handler,
    count: preferences.count,
  };
  return {
    main:
      negotiated.mediaType.kind === 'plan'
        ? explainedReadStatement(node, options, negotiated.mediaType)
        : readStatement(node, options),
    estimate: needsEstimate(context, negotiated) ? plannedCountStatement(node) : undefined,
    negotiated,
    warnings: legacyNameWarnings(node),
  };
}

/** Without a cap, an estimate is what was counted. */
function needsEstimate({ preferences, snapshot }: ActionContext, { mediaType }: Negotiated): boolean {
  if (mediaType.kind === 'plan') return false;
  const isCapped = snapshot.config.maxRows !== undefined;
  return preferences.count === 'planned' || (preferences.count === 'estimated' && isCapped);
}
