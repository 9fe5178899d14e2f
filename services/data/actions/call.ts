/** Calls of functions by GET, HEAD and POST. */
import { failure } from '../errors.ts';
import { type CallAccess, callAccess } from '../plan/call-access.ts';
import { type CallPlan, callKey, callValues, planCall } from '../plan/call-plan.ts';
import { findFunction } from '../plan/find-function.ts';
import { parametersOf, slotsOf } from '../plan/slots.ts';
import { shapeOf } from '../query/shape.ts';
import { type Arguments, argumentsOf } from '../request/arguments.ts';
import { readBody } from '../request/body.ts';
import { headerOf } from '../request/data-request.ts';
import { type MediaType, parseMediaType } from '../request/media-type.ts';
import type { Action } from '../request/method.ts';
import { maxAffectedOf, requireKnownPreferences } from '../request/preferences.ts';
import type { Answer } from '../respond/answer.ts';
import { isVoid, requireMaxAffected, requireSingleRow } from '../respond/status.ts';
import type { SqlFunction } from '../schema-cache/schema-cache.ts';
import { callSource, handlerTarget, readTarget, resultShape } from '../sql/call.ts';
import { type ActionContext, bodyTurns } from './context.ts';
import { planAnswer } from './plan-answer.ts';
import { type PreparedRows, prepareRows, rowsKey } from './prepare-rows.ts';
import { appliedHeaders, rowsAnswer } from './rows-answer.ts';
import { runStatement } from './run-statement.ts';

type CallAction = Extract<Action, { kind: 'call' }>;

/** What does not depend on values. */
interface PreparedCall extends PreparedRows {
  plan: CallPlan;
  access: CallAccess;
}

/**
 * Calls a function.
 * @throws PGRST102, PGRST202, PGRST203, what {@link prepareRows} throws, PGRST122, PGRST124, PGRST128, PostgreSQL's
 *   errors, what {@link rowsAnswer} throws
 */
export async function call(context: ActionContext, action: CallAction): Promise<Answer> {
  const { snapshot, preferences, query, range, request } = context;
  const contentType = headerOf(request, 'content-type');
  const reading = readBody({ action, contentType, bytes: request.body, columns: query.columns }, () =>
    bodyTurns(context),
  );
  const body = reading instanceof Promise ? await reading : reading;
  const given = argumentsOf(action, query.parameters, body);
  context.timing?.lap('parse');
  const mediaType = parseMediaType(contentType ?? 'application/json');
  const parts = ['call', action.method, action.function, callKey(given, mediaType), shapeOf(query)];
  const prepared = snapshot.plans.get(rowsKey(context, parts), () =>
    prepare(context, action, given, mediaType),
  );
  const { main, negotiated, warnings, plan, access } = prepared;
  requireKnownPreferences(preferences);
  const maxAffected = maxAffectedOf(preferences, action);
  context.timing?.lap('plan');
  if (maxAffected !== undefined) requireSet(plan.function);
  const outcome = await runStatement(context, {
    main,
    values: [...parametersOf(query), String(range.limit), String(range.offset), ...callValues(plan, given)],
    isReadOnly: access.isReadOnly,
    runsFunctions: true,
    isRepeatable: plan.function.volatility !== 'volatile',
    functionSettings: access.functionSettings,
    functionIsolation: access.isolation,
    checks: [
      negotiated.handler.kind === 'object' && (({ pageCount }) => requireSingleRow(pageCount)),
      maxAffected !== undefined && (({ pageCount }) => requireMaxAffected(pageCount, maxAffected)),
    ],
  });
  if (main.explains) return planAnswer(context, negotiated, outcome);
  const headers = [...appliedHeaders(preferences, action), ...warnings];
  const isHead = action.isHead;
  return rowsAnswer(context, { outcome, negotiated, isHead, headers, isVoid: isVoid(plan.function) });
}

function prepare(
  context: ActionContext,
  action: CallAction,
  given: Arguments,
  contentType: MediaType,
): PreparedCall {
  const { snapshot, profile, query, preferences } = context;
  const name = { schema: action.schema ?? profile.schema, name: action.function };
  const chosen = findFunction(snapshot.cache, name, given, contentType);
  const slots = slotsOf(query);
  const plan = planCall(chosen, given, slots);
  const rows = prepareRows(context, {
    target: readTarget(plan.function),
    handled: handlerTarget(plan.function),
    slots,
    isHead: action.isHead,
    count: preferences.count,
    source: { source: callSource(plan), shape: resultShape(plan.function) },
  });
  return { ...rows, plan, access: callAccess(plan.function, action.method) };
}

/** One value or one row is never too much, so whoever limits it means something else. */
function requireSet({ result }: SqlFunction): void {
  if (!result.isSet) throw failure('PGRST128');
}
