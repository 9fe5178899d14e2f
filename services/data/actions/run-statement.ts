/** Runs the statement of a request under the caller's role and with everything that it may ask for. */
import type { Pace, RawValue, ShareHolder } from '@greenroom/postgres';
import { discardBody, type Outcome } from '../execute/outcome.ts';
import { type Isolation, type RequestPlan, runRequest } from '../execute/run.ts';
import type { RequestSettings, Setting } from '../execute/settings.ts';
import { bind } from '../plan/slots.ts';
import { cookiesJson, headersJson } from '../request/data-request.ts';
import type { SqlText } from '../sql/sql.ts';
import type { ActionContext } from './context.ts';

/** What is run. */
export interface StatementRun {
  /** See {@link RequestPlan}. */
  write?: SqlText | undefined;
  main: SqlText & { explains?: boolean; pace?: Pace };
  estimate?: SqlText | undefined;
  /** By slot. */
  values: readonly RawValue[];
  isReadOnly: boolean;
  /** See {@link RequestPlan}. */
  runsFunctions?: boolean;
  isRepeatable?: boolean;
  /** Of the function that is called. */
  functionSettings?: readonly Setting[];
  functionIsolation?: Isolation | undefined;
  /** What has to hold before anything is committed: what they throw undoes everything. */
  checks?: readonly (false | ((outcome: Outcome) => void))[] | undefined;
}

/** Runs it; see {@link runRequest}. */
export async function runStatement(context: ActionContext, run: StatementRun): Promise<Outcome> {
  const check = checkOf(run.checks);
  const { snapshot, pool, request, caller } = context;
  const ofRole = snapshot.roleSettings.of(caller.role);
  const { write, main, estimate, values, isReadOnly, runsFunctions, isRepeatable } = run;
  const plan: RequestPlan = {
    settings: settingsOf(context, ofRole.settings, run.functionSettings),
    generation: snapshot.cache.generation,
    preRequest: snapshot.config.preRequest,
    write: write && { text: write.text, values: bind(write.slots, values) },
    main: {
      text: main.text,
      values: bind(main.slots, values),
      explains: main.explains ?? false,
      pace: main.pace,
    },
    estimate: estimate && { text: estimate.text, values: bind(estimate.slots, values) },
    isReadOnly,
    ...(runsFunctions !== undefined && { runsFunctions }),
    ...(isRepeatable !== undefined && { isRepeatable }),
    isolation: run.functionIsolation ?? ofRole.isolation,
    holder: holderOf(context),
    ending: endingOf(context, isReadOnly, isReadOnly ? undefined : check),
  };
  for (const each of [write, main, estimate]) if (each !== undefined) context.statements?.push(each.text);
  const outcome = await runRequest(pool, plan, request.signal);
  context.timing?.lap('transaction');
  const refusal = isReadOnly ? check?.(outcome) : undefined;
  if (refusal === undefined) return outcome;
  discardBody(outcome);
  throw refusal;
}

function holderOf({ request: { clientAddress }, caller: { account } }: ActionContext): ShareHolder {
  return { account, address: clientAddress };
}

type Check = (outcome: Outcome) => Error | undefined;

/** What is thrown becomes an answer only after everything has been undone. */
function checkOf(checks: StatementRun['checks'] = []): Check | undefined {
  const wanted = checks.filter((check) => check !== false);
  if (wanted.length === 0) return undefined;
  return (outcome) => {
    try {
      for (const check of wanted) check(outcome);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  };
}

function settingsOf(
  { snapshot, request, caller, profile, preferences }: ActionContext,
  roleSettings: readonly Setting[],
  functionSettings: readonly Setting[] = [],
): RequestSettings {
  return {
    searchPath: snapshot.searchPaths.get(profile.schema) ?? [profile.schema],
    roleSettings,
    role: caller.role,
    claims: caller.claims,
    method: request.method,
    path: request.path,
    headers: headersJson(request.headers),
    cookies: cookiesJson(request.headers),
    timezone: preferences.timezone,
    functionSettings,
    appSettings: snapshot.config.appSettings,
  };
}

/** A read changes nothing, so that there is nothing to be undone. */
function endingOf(
  { snapshot, preferences }: ActionContext,
  isReadOnly: boolean,
  check: Check | undefined,
): RequestPlan['ending'] {
  const { rollsBack } = snapshot.config.transactionEnd;
  const isRollback = preferences.tx === undefined ? rollsBack : preferences.tx === 'rollback';
  if (isRollback && !isReadOnly) return { kind: 'rollback', ...(check && { check }) };
  return check === undefined ? { kind: 'implicit' } : { kind: 'after-check', check };
}
