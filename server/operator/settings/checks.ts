/** Checks of the connections that the running settings configure. */
import type { CheckResult } from '@greenroom/auth/checks';
import { probeSms, probeSmtp } from '@greenroom/messages';
import type { Database } from '@greenroom/postgres';
import { z } from 'zod';
import type { Config } from '../../settings.ts';
import { failure } from '../errors.ts';

/** A connection to check. `name` is that of a provider or a hook. */
export const checkedConnection = z.strictObject({
  kind: z.enum(['smtp', 'sms', 'captcha', 'provider', 'hook']),
  name: z.string().max(100).default(''),
});

type CheckedConnection = z.output<typeof checkedConnection>;

/** A connection that can be checked. */
interface Connection extends CheckedConnection {
  /** Host, or function of the database. */
  target: string;
}

/** Returns the configured connections. */
export function connectionsOf({ smtp, sms, auth }: Config): Connection[] {
  const { captcha, externalProviders, hooks } = auth;
  return [
    ...(smtp ? [{ kind: 'smtp' as const, name: '', target: `${smtp.host}:${smtp.port}` }] : []),
    ...(sms ? [{ kind: 'sms' as const, name: sms.provider, target: sms.url ?? sms.provider }] : []),
    ...(captcha
      ? [{ kind: 'captcha' as const, name: auth.captchaProvider, target: new URL(captcha.verifyUrl).host }]
      : []),
    ...Array.from(externalProviders.providers, ([name, { url }]) => ({
      kind: 'provider' as const,
      name,
      target: url ?? '',
    })),
    ...Object.entries(hooks).map(([name, target]) => ({
      kind: 'hook' as const,
      name,
      target: target.kind === 'http' ? new URL(target.url).host : `${target.schema}.${target.name}`,
    })),
  ];
}

/** Checks one connection. Throws `connection_not_found` if it is not configured. */
export async function checkConnection(
  { kind, name }: CheckedConnection,
  { smtp, sms, auth }: Config,
  database: Database,
): Promise<CheckResult> {
  const { checkCaptcha, checkHook, checkProvider } = await import('@greenroom/auth/checks');
  const provider = auth.externalProviders.providers.get(name);
  const hook = Object.entries(auth.hooks).find(([each]) => each === name);
  if (kind === 'smtp' && smtp)
    return finding(probeSmtp(smtp), 'The server accepts the connection and the login.');
  if (kind === 'sms' && sms) return finding(probeSms(sms), 'The provider accepts the credentials.');
  if (kind === 'captcha' && auth.captcha) return checkCaptcha(auth.captcha);
  if (kind === 'provider' && provider) return checkProvider(name, provider);
  if (kind !== 'hook' || hook === undefined) throw failure('connection_not_found');
  const [, target] = hook;
  return target.kind === 'http'
    ? checkHook(hook[0] as keyof typeof auth.hooks, target)
    : checkFunction(database, target.schema, target.name);
}

/** Looks a function up instead of calling it, because it may write. */
async function checkFunction(database: Database, schema: string, name: string): Promise<CheckResult> {
  const [row] = await database.query<{ may_execute: boolean }>({
    text: `select has_function_privilege('supabase_auth_admin', p.oid, 'execute')
        and has_schema_privilege('supabase_auth_admin', n.oid, 'usage') as may_execute
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = $1 and p.proname = $2 and p.pronargs = 1`,
    values: [schema, name],
  });
  if (row === undefined) return { isOk: false, message: `There is no function ${schema}.${name}(jsonb).` };
  if (!row.may_execute)
    return { isOk: false, message: `supabase_auth_admin may not execute ${schema}.${name}.` };
  return { isOk: true, message: `${schema}.${name} exists, and supabase_auth_admin may execute it.` };
}

async function finding(probe: Promise<void>, message: string): Promise<CheckResult> {
  return probe.then(
    () => ({ isOk: true, message }),
    (error: Error) => ({ isOk: false, message: error.message }),
  );
}
