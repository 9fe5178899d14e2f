/**
 * The pipeline that handles a request of the data API. Each stage is one module and receives the result of the previous
 * one:
 *
 *     DataRequest → authenticate → Caller
 *                 → parse        → ApiRequest
 *                 → plan         → RequestPlan     ┐ cached by the shape of the request
 *                 → sql          → Statements      ┘
 *                 → bind         → Transaction
 *                 → execute      → Outcome
 *                 → respond      → HttpResponse
 *
 * A request with several errors reports the error of the earliest stage.
 */
import type { FairQueue } from '@greenroom/limits';
import type { RawPool } from '@greenroom/postgres';
import type { Caller } from './auth/caller.ts';
import { refuse } from './error-response.ts';
import { failure } from './errors.ts';
import { runTransaction } from './execute/run.ts';
import { bindTransaction, textsOf } from './execute/transaction.ts';
import { planKey } from './plan/plan-key.ts';
import { planRequest, requireApplicablePreferences } from './plan/plan-request.ts';
import type { DataRequest } from './request/data-request.ts';
import { type ApiRequest, type OptionsRequest, parseRequest } from './request/parse-request.ts';
import { type HttpResponse, withTraceHeader, withVary } from './respond/http-response.ts';
import { optionsResponse } from './respond/options-response.ts';
import { respond } from './respond/respond.ts';
import { Timing } from './respond/timing.ts';
import type { PreparedRequest, Snapshot } from './snapshot.ts';
import { statementsOf } from './sql/statements.ts';

/** Dependencies of {@link handle}. */
interface HandlerContext {
  /** Undefined until the schema has been read for the first time. */
  snapshot: Snapshot | undefined;
  pool: RawPool;
  /** Limits how many large bodies are parsed at the same time. */
  bodyQueue: FairQueue;
  /** Logs the cause of a 5xx response. */
  onFailure: (error: unknown) => void;
  /** Logs the SQL of a request if `log-query` is on. */
  onStatements: (statements: readonly string[], status: number) => void;
}

/** Handles a request: returns its response, or an error response. Never rejects. */
export function handle(context: HandlerContext, http: DataRequest): Promise<HttpResponse> {
  return context.snapshot?.config.logsQueries ? respondAndLog(context, http) : respondOrRefuse(context, http);
}

async function respondAndLog(context: HandlerContext, http: DataRequest): Promise<HttpResponse> {
  const executed: string[] = [];
  const response = await respondOrRefuse(context, http, executed);
  if (executed.length > 0) context.onStatements(executed, response.status);
  return response;
}

/** @param executed the function appends the SQL of the request to it */
async function respondOrRefuse(
  { snapshot, pool, bodyQueue, onFailure }: HandlerContext,
  http: DataRequest,
  executed?: string[],
): Promise<HttpResponse> {
  let caller: Caller | undefined;
  try {
    if (snapshot === undefined) throw failure('PGRST002');
    const { config, cache } = snapshot;
    const timing = config.sendsServerTiming ? new Timing() : undefined;

    caller = await snapshot.readCaller(http.token);
    http.account = caller.account;
    timing?.lap('jwt');

    const parsing = parseRequest(http, config, caller.account, bodyQueue);
    const request = parsing instanceof Promise ? await parsing : parsing;
    timing?.lap('parse');
    if (request.kind === 'options') return finish(optionsResponse(request, cache), snapshot, http, timing);

    const prepared = prepare(request, snapshot);
    requireApplicablePreferences(request, prepared.plan);
    timing?.lap('plan');

    const transaction = bindTransaction(request, prepared, caller, snapshot);
    executed?.push(...textsOf(transaction));
    const outcome = await runTransaction(pool, transaction, http.signal);
    timing?.lap('transaction');

    const response = await respond(outcome, prepared.plan, request, snapshot);
    return finish(response, snapshot, http, timing);
  } catch (error) {
    const refusal = refuse(error, snapshot?.config, caller);
    // When a client disconnects, its statements are cancelled. That is not a failure to log.
    if (refusal.status >= 500 && !http.signal.aborted) onFailure(error);
    return withTraceHeader(refusal, snapshot?.config.traceHeader, http);
  }
}

/** Returns the plan and the SQL of a request, from the cache if a request of the same shape came before. */
function prepare(request: Exclude<ApiRequest, OptionsRequest>, snapshot: Snapshot): PreparedRequest {
  return snapshot.plans.get(planKey(request), () => {
    const plan = planRequest(request, snapshot);
    return { plan: plan.execution, statements: statementsOf(plan.query) };
  });
}

/** Adds the headers that every response except an error has. */
function finish(
  response: HttpResponse,
  { config }: Snapshot,
  http: DataRequest,
  timing: Timing | undefined,
): HttpResponse {
  timing?.lap('response');
  const timed =
    timing === undefined ? response : { ...response, headers: [...response.headers, timing.header()] };
  return withTraceHeader(withVary(timed, config.corsAllowedOrigins !== undefined), config.traceHeader, http);
}
