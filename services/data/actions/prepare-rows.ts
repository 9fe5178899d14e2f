/** The statement of a read or a call, as far as it does not depend on values: one for all requests of a shape. */
import { Pace } from '@greenroom/postgres';
import type { Header } from '../headers.ts';
import { planRead, type ReadTarget } from '../plan/read-plan.ts';
import type { Slots } from '../plan/slots.ts';
import type { Negotiated } from '../request/accept.ts';
import type { Preferences } from '../request/preferences.ts';
import type { QualifiedName } from '../schema-cache/schema-cache.ts';
import type { SqlText } from '../sql/sql.ts';
import {
  explainedReadStatement,
  plannedCountStatement,
  readStatement,
  type StatementOptions,
} from '../sql/statement.ts';
import { chooseHandler } from './choose-handler.ts';
import type { ActionContext } from './context.ts';
import { legacyNameWarnings } from './legacy-names.ts';

/** What is read. */
interface RowsRequest {
  target: ReadTarget;
  /** What handlers of media types are for. */
  handled: QualifiedName;
  slots: Slots;
  isHead: boolean;
  count: Preferences['count'];
  /** Of a call. */
  source?: Pick<StatementOptions, 'source' | 'shape'>;
}

/** How it is read. */
export interface PreparedRows {
  main: SqlText & { explains: boolean; pace: Pace };
  estimate: SqlText | undefined;
  negotiated: Negotiated;
  warnings: readonly Header[];
}

/**
 * Prepares it.
 * @throws what planning throws, and then PGRST107
 */
export function prepareRows(context: ActionContext, request: RowsRequest): PreparedRows {
  const { snapshot, query, range } = context;
  const { config, cache } = snapshot;
  const { target, handled, slots, isHead, count, source } = request;
  const node = planRead(query, cache, target, {
    slots,
    limit: range.limit === undefined ? undefined : slots.count,
    offset: range.offset === 0 ? undefined : slots.count + 1,
    maxRows: config.maxRows,
    allowsAggregates: config.allowsAggregates,
    allowsTargetNames: config.allowsTargetNames,
  });
  const negotiated = chooseHandler(context, handled);
  const { mediaType, handler } = negotiated;
  const options: StatementOptions = { format: isHead ? { kind: 'none' } : handler, count, ...source };
  const explains = mediaType.kind === 'plan';
  const text = explains ? explainedReadStatement(node, options, mediaType) : readStatement(node, options);
  const isEstimated = needsEstimate(request) && !explains;
  return {
    main: { ...text, explains, pace: new Pace() },
    estimate: isEstimated ? plannedCountStatement(node) : undefined,
    negotiated,
    warnings: legacyNameWarnings(node),
  };
}

/** Nobody knows how many rows a function will return. */
function needsEstimate({ count, source }: RowsRequest): boolean {
  return source === undefined && (count === 'planned' || count === 'estimated');
}

/**
 * What two requests that are prepared alike have in common.
 * @param parts what is asked for; only one of them may have a NUL in it, so no two different lists give one key
 */
export function rowsKey(
  { request, profile, range, preferences }: ActionContext,
  parts: readonly string[],
): string {
  const limits = `${range.limit === undefined ? '' : 'l'}${range.offset === 0 ? '' : 'o'}`;
  const accept = request.headers.accept ?? '';
  return [...parts, limits, preferences.count ?? '', profile.schema, accept].join('\0');
}
