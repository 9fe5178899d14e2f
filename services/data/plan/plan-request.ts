/**
 * The plan stage: converts a request, the schema cache and the configuration to a plan. It is pure: it does not use
 * values of the request or run SQL. Checks run in the order relation or function, columns of the body, embeds and
 * conditions, media type; for a write, unknown preferences come before the media type. A request with several errors
 * reports the first.
 */

import { failure } from '../errors.ts';
import { type Negotiated, negotiate, requireOpenApi } from '../request/accept.ts';
import type {
  ApiRequest,
  CallRequest,
  DescribeRequest,
  OptionsRequest,
  ReadRequest,
  RequestHead,
  WriteRequest,
} from '../request/parse-request.ts';
import { maxAffectedOf, requireKnownPreferences } from '../request/preferences.ts';
import type { QualifiedName, SchemaCache } from '../schema-cache/schema-cache.ts';
import type { DataConfig } from '../settings/settings.ts';
import { callAccess } from './call-access.ts';
import { handlerTarget, planCall, readTarget } from './call-plan.ts';
import { legacyReferences } from './embed-path.ts';
import { findFunction } from './find-function.ts';
import type { ReadNode } from './read-node.ts';
import { planRead, type ReadTarget } from './read-plan.ts';
import type { ExecutionPlan, RequestPlan } from './request-plan.ts';
import { requireRelation } from './require-relation.ts';
import { type Slots, slotsOf } from './slots.ts';
import { planWrite, WRITTEN } from './write-plan.ts';

interface PlanContext {
  cache: SchemaCache;
  config: Pick<DataConfig, 'maxRows' | 'allowsAggregates' | 'allowsTargetNames' | 'allowsPlans' | 'openApi'>;
}

/**
 * Plans a request. All requests with the same `planKey` have the same plan.
 * @throws PGRST105, PGRST107, PGRST108, PGRST115, PGRST118, PGRST122, PGRST123, PGRST127, PGRST200 to PGRST205
 */
export function planRequest(request: Exclude<ApiRequest, OptionsRequest>, context: PlanContext): RequestPlan {
  switch (request.kind) {
    case 'read':
      return planReadRequest(request, context);
    case 'call':
      return planCallRequest(request, context);
    case 'write':
      return planWriteRequest(request, context);
    case 'describe':
      return planDescription(request, context);
  }
}

/**
 * Checks the preferences that are not part of the plan key. Call this for a cached plan, too.
 * @throws PGRST122 for unknown preferences, PGRST128 for `max-affected` if the function returns a single value or
 *   row: it can never exceed a limit, so the client must have a wrong expectation
 */
export function requireApplicablePreferences({ preferences }: RequestHead, plan: ExecutionPlan): void {
  requireKnownPreferences(preferences);
  if (plan.kind !== 'call' || plan.call.function.result.isSet) return;
  if (maxAffectedOf(preferences, plan) !== undefined) throw failure('PGRST128');
}

function planReadRequest(request: ReadRequest, context: PlanContext): RequestPlan {
  const { action, profile, query, preferences } = request;
  const { isHead } = action;
  const relation = requireRelation(context.cache, { schema: profile.schema, name: action.relation });
  const node = planRows(request, context, { relation }, slotsOf(query));
  const negotiated = chooseHandler(request, context, relation);
  return {
    query: { kind: 'read', node, negotiated, count: preferences.count, isHead },
    execution: { kind: 'read', relation, isHead, ...responsePlan(node, negotiated) },
  };
}

function planCallRequest(request: CallRequest, context: PlanContext): RequestPlan {
  const { action, profile, query, preferences, contentType } = request;
  const { isHead, method } = action;
  const name = { schema: action.schema ?? profile.schema, name: action.function };
  const chosen = findFunction(context.cache, name, request.arguments, contentType);
  const slots = slotsOf(query);
  const call = planCall(chosen, request.arguments, slots);
  const node = planRows(request, context, readTarget(call.function), slots);
  const negotiated = chooseHandler(request, context, handlerTarget(call.function));
  const access = callAccess(call.function, method);
  return {
    query: { kind: 'call', node, negotiated, count: preferences.count, isHead, call },
    execution: { kind: 'call', call, access, isHead, ...responsePlan(node, negotiated) },
  };
}

function planWriteRequest(request: WriteRequest, context: PlanContext): RequestPlan {
  const { action, profile, query, preferences, rows: body } = request;
  const { kind } = action;
  const { cache, config } = context;
  const relation = requireRelation(cache, { schema: profile.schema, name: action.relation });
  const slots = slotsOf(query);
  const write = planWrite({ kind, relation, query, body, preferences }, cache, slots);
  const { allowsAggregates, allowsTargetNames } = config;
  const options = { isWrite: true, slots, allowsAggregates, allowsTargetNames };
  const node = planRead(query, cache, { relation, cte: WRITTEN }, options);
  requireKnownPreferences(preferences);
  const negotiated = chooseHandler(request, context, relation);
  const hasArbiter = write.arbiter.length > 0;
  return {
    query: { kind: 'write', node, negotiated, count: preferences.count, write },
    execution: { kind, relation, hasArbiter, ...responsePlan(node, negotiated) },
  };
}

function planDescription(
  { action, profile, accepted }: DescribeRequest,
  { config }: PlanContext,
): RequestPlan {
  requireOpenApi(accepted);
  const mode = config.openApi.mode === 'ignore-privileges' ? 'ignore-privileges' : 'follow-privileges';
  return {
    query: { kind: 'describe', schema: profile.schema, mode },
    execution: { kind: 'describe', isHead: action.isHead },
  };
}

/** Plans the rows of a read or a call. */
function planRows(
  { query, range }: RequestHead,
  { cache, config }: PlanContext,
  target: ReadTarget,
  slots: Slots,
): ReadNode {
  return planRead(query, cache, target, {
    slots,
    limit: range.limit === undefined ? undefined : slots.count,
    offset: range.offset === 0 ? undefined : slots.count + 1,
    maxRows: config.maxRows,
    allowsAggregates: config.allowsAggregates,
    allowsTargetNames: config.allowsTargetNames,
  });
}

/**
 * Selects the first accepted media type that can be produced.
 * @param target relation or function that handlers of the database must belong to
 * @throws PGRST107
 */
function chooseHandler(
  { query, accepted }: RequestHead,
  { cache, config }: PlanContext,
  target: QualifiedName,
): Negotiated {
  return negotiate(accepted, {
    handlers: cache.mediaHandlers,
    target,
    // The official clients send `select=*`, which equals the default.
    hasDefaultSelect: query.select.length === 1 && query.select[0]?.kind === 'all',
    isPlanEnabled: config.allowsPlans,
  });
}

function responsePlan(node: ReadNode, negotiated: Negotiated) {
  const explains = negotiated.mediaType.kind === 'plan';
  return { negotiated, explains, legacyReferences: legacyReferences(node) };
}
