/**
 * A request → its answer. What is checked first decides which of several mistakes is told: the caller, the path, the
 * schema, the method, the query, the range, the body, then whatever the action looks up, and at last PostgreSQL.
 */

import type { FairQueue } from '@greenroom/limits';
import type { RawPool } from '@greenroom/postgres';
import { admitBody, type BodyAdmission } from './actions/admit-body.ts';
import { call } from './actions/call.ts';
import type { ActionContext } from './actions/context.ts';
import { describe } from './actions/describe.ts';
import { options } from './actions/options.ts';
import { read } from './actions/read.ts';
import { write } from './actions/write.ts';
import type { Caller } from './auth/caller.ts';
import { errorResponse } from './error-response.ts';
import { failure } from './errors.ts';
import { readQuery, refuseArguments } from './query/parse-query.ts';
import { parseAccept } from './request/accept.ts';
import { type DataRequest, headerOf } from './request/data-request.ts';
import { type Action, actionOf } from './request/method.ts';
import { parsePreferences } from './request/preferences.ts';
import { chooseProfile, type Profile } from './request/profile.ts';
import { topLevelRange } from './request/range.ts';
import { parseRoute } from './request/route.ts';
import { type Answer, withVary } from './respond/answer.ts';
import { Timing } from './respond/timing.ts';
import type { DataConfig } from './settings/settings.ts';
import type { Snapshot } from './snapshot.ts';

/** What requests are answered with. */
interface Handling {
  /** Undefined as long as the schema has never been read. */
  snapshot: Snapshot | undefined;
  pool: RawPool;
  /** For large bodies. */
  bodyQueue: FairQueue;
  /** Told about what was answered with a 5xx. */
  onFailure: (error: unknown) => void;
  /** Told what SQL a request has come to, where the settings want that to be logged. */
  onStatements: (statements: readonly string[], status: number) => void;
}

/** Answers a request, whatever it is. Never rejects. */
export function handle(handling: Handling, request: DataRequest): Promise<Answer> {
  return handling.snapshot?.config.logsQueries
    ? answerAndTell(handling, request)
    : answerOrRefuse(handling, request);
}

async function answerAndTell(handling: Handling, request: DataRequest): Promise<Answer> {
  const statements: string[] = [];
  const given = await answerOrRefuse(handling, request, statements);
  if (statements.length > 0) handling.onStatements(statements, given.status);
  return given;
}

async function answerOrRefuse(
  { snapshot, pool, bodyQueue, onFailure }: Handling,
  request: DataRequest,
  statements?: string[],
): Promise<Answer> {
  let caller: Caller | undefined;
  try {
    if (snapshot === undefined) throw failure('PGRST002');
    const timing = snapshot.config.tellsTiming ? new Timing() : undefined;
    caller = await snapshot.readCaller(request.token);
    timing?.lap('jwt');
    const given = await answer({ snapshot, pool, bodyQueue, request, caller, timing, statements });
    timing?.lap('response');
    const timed = timing === undefined ? given : { ...given, headers: [...given.headers, timing.header()] };
    return traced(withVary(timed, snapshot.config.corsAllowedOrigins !== undefined), snapshot, request);
  } catch (error) {
    const refusal = refuse(error, snapshot?.config, caller);
    // Whoever has gone away has broken off what was running, which is no failure.
    if (refusal.status >= 500 && !request.signal.aborted) onFailure(error);
    return traced(refusal, snapshot, request);
  }
}

/**
 * Decides whether a large body is received; an answer refuses it. Never rejects.
 * @param request its head: the body has not come yet
 */
export async function admit(
  { snapshot, pool, onFailure }: Pick<Handling, 'snapshot' | 'pool' | 'onFailure'>,
  request: DataRequest,
): Promise<BodyAdmission | Answer> {
  let caller: Caller | undefined;
  try {
    if (snapshot === undefined) throw failure('PGRST002');
    caller = await snapshot.readCaller(request.token);
    const { action, profile } = purposeOf(snapshot, request);
    return await admitBody(snapshot, pool, { action, schema: profile.schema, caller });
  } catch (error) {
    const refusal = refuse(error, snapshot?.config, caller);
    if (refusal.status >= 500) onFailure(error);
    return traced(refusal, snapshot, request);
  }
}

/** The answer with the header by which somebody wants to find it again. */
function traced(given: Answer, snapshot: Snapshot | undefined, request: DataRequest): Answer {
  const name = snapshot?.config.traceHeader;
  const value = name === undefined ? undefined : headerOf(request, name);
  if (name === undefined || value === undefined) return given;
  return { ...given, headers: [...given.headers, [name, value]] };
}

/** The answer that tells an error. */
export function refuse(error: unknown, config: DataConfig | undefined, caller?: Caller): Answer {
  const { body, ...told } = errorResponse(error, {
    isAnonymous: caller?.isAnonymous ?? true,
    verbosity: config?.errorVerbosity ?? 'verbose',
  });
  return { ...told, body: JSON.stringify(body) };
}

type Asked = Pick<
  ActionContext,
  'snapshot' | 'pool' | 'bodyQueue' | 'request' | 'caller' | 'timing' | 'statements'
>;

function answer(asked: Asked): Answer | Promise<Answer> {
  const { snapshot, request } = asked;
  const { config } = snapshot;
  const { method } = request;
  const { profile, action } = purposeOf(snapshot, request);
  const { query, given } = readQuery(request.queryString);
  if (!takesArguments(action)) refuseArguments(query);
  const context: ActionContext = {
    ...asked,
    profile,
    query,
    given,
    range: topLevelRange({ method, range: headerOf(request, 'range'), query }),
    preferences: parsePreferences(headerOf(request, 'prefer'), {
      transactionEnd: config.transactionEnd.allowsOverride,
      timezone: config.allowsTimezone,
    }),
    accepted: parseAccept(headerOf(request, 'accept')),
  };
  asked.timing?.lap('parse');
  return act(context, action);
}

/** What a request is for, as far as its path, its method and its profile say it. */
function purposeOf({ config }: Snapshot, request: DataRequest): { profile: Profile; action: Action } {
  const { method } = request;
  const { mode: openApiMode, rootFunction } = config.openApi;
  const route = parseRoute(request.path, { openApiMode, rootFunction });
  const profiles = {
    acceptProfile: headerOf(request, 'accept-profile'),
    contentProfile: headerOf(request, 'content-profile'),
  };
  const profile = chooseProfile(method, profiles, config.schemas);
  return { profile, action: actionOf(route, method) };
}

/** By POST, arguments are in the body. */
function takesArguments(action: Action): boolean {
  return action.kind === 'call' && action.method !== 'POST';
}

function act(context: ActionContext, action: Action): Answer | Promise<Answer> {
  switch (action.kind) {
    case 'read':
      return read(context, action);
    case 'options':
      return options(context, action);
    case 'call':
      return call(context, action);
    case 'describe':
      return describe(context, action);
    default:
      return write(context, action);
  }
}
