/** Settings of hooks: functions of the database and HTTP endpoints that are asked at certain moments. */
import { z } from 'zod';
import { ConfigError, type ConfigProblem } from '../config-error.ts';
import { booleanVariable, type Variable, variable } from '../variable.ts';

/** Hook → the part of its variables' names that is its own. */
const VARIABLE_NAMES = {
  customAccessToken: 'CUSTOM_ACCESS_TOKEN',
  sendEmail: 'SEND_EMAIL',
  sendSms: 'SEND_SMS',
  beforeUserCreated: 'BEFORE_USER_CREATED',
  afterUserCreated: 'AFTER_USER_CREATED',
  mfaVerificationAttempt: 'MFA_VERIFICATION_ATTEMPT',
  passwordVerificationAttempt: 'PASSWORD_VERIFICATION_ATTEMPT',
} as const;

/** A hook, as the code calls it. */
export type HookName = keyof typeof VARIABLE_NAMES;

/** A function of our database. */
export interface FunctionTarget {
  kind: 'function';
  uri: string;
  schema: string;
  name: string;
}

/** An endpoint. */
export interface HttpTarget {
  kind: 'http';
  url: string;
  /** Keys of signatures, in base64 (RFC 4648 §4). At least one. */
  keys: readonly string[];
}

/** Whom a hook asks. */
export type HookTarget = FunctionTarget | HttpTarget;

/** The hooks that are switched on. */
export interface HookSettings {
  hooks: Readonly<Partial<Record<HookName, HookTarget>>>;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** At least 24 bytes, as Standard Webhooks has it. */
const SECRET = /^v1,whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;

const URI_ALLOWED =
  'pg-functions://postgres/SCHEMA/FUNCTION, or an https:// URL (http:// for localhost only)';
const SECRETS_ALLOWED = 'v1,whsec_ and 24 to 64 bytes in base64; several are separated by a vertical bar';

function readTarget(text: string): FunctionTarget | { kind: 'http'; url: string } | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, pathname, hostname, username, password } = new URL(text);
  if (protocol === 'pg-functions:') {
    const [, schema = '', name = '', ...rest] = pathname.split('/');
    if (!IDENTIFIER.test(schema) || !IDENTIFIER.test(name) || rest.length > 0) return undefined;
    return { kind: 'function', uri: text, schema, name };
  }
  const isHttp = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isHttp && username === '' && password === '' ? { kind: 'http', url: text } : undefined;
}

const uriSchema = z.string().transform((text, context) => {
  const target = readTarget(text);
  if (target === undefined) context.addIssue('not a target');
  return target ?? z.NEVER;
});

const secretsSchema = z
  .string()
  .transform((text) => text.split('|').map((secret) => SECRET.exec(secret.trim())?.[1] ?? ''))
  .pipe(z.array(z.string().min(1)));

/** The three variables of a hook, by their names without the common part. */
function variablesOf<const N extends string>(name: N, moment: string) {
  return {
    [`GOTRUE_HOOK_${name}_ENABLED`]: booleanVariable({
      default: 'false',
      description: `Asks a hook ${moment}.`,
    }),
    [`GOTRUE_HOOK_${name}_URI`]: variable(uriSchema, URI_ALLOWED, {
      default: undefined,
      description: 'Whom that hook asks.',
    }),
    [`GOTRUE_HOOK_${name}_SECRETS`]: variable(secretsSchema, SECRETS_ALLOWED, {
      default: undefined,
      description: 'Secrets that sign its requests, where it is asked over HTTP.',
      secret: true,
    }),
  } as { [K in `GOTRUE_HOOK_${N}_ENABLED`]: Variable<boolean> & { default: 'false' } } & {
    [K in `GOTRUE_HOOK_${N}_URI`]: Variable<z.output<typeof uriSchema>> & { default: undefined };
  } & { [K in `GOTRUE_HOOK_${N}_SECRETS`]: Variable<string[]> & { default: undefined } };
}

/** Environment variables. */
export const hookVariables = {
  ...variablesOf('CUSTOM_ACCESS_TOKEN', 'for the claims of every access token'),
  ...variablesOf('SEND_EMAIL', 'to send mails, instead of sending them'),
  ...variablesOf('SEND_SMS', 'to send SMS, instead of sending them'),
  ...variablesOf('BEFORE_USER_CREATED', 'whether a new account may be made'),
  ...variablesOf('AFTER_USER_CREATED', 'after a new account was made'),
  ...variablesOf('MFA_VERIFICATION_ATTEMPT', 'about every code of a second factor'),
  ...variablesOf('PASSWORD_VERIFICATION_ATTEMPT', 'about every password of a sign-in'),
};

/** What the variables hold, as far as it matters here: the compiler cannot follow names that are put together. */
type HookValues = Readonly<Record<string, unknown>>;

/** Groups the values. Throws {@link ConfigError} where a hook that is switched on lacks its URI or its secrets. */
export function hookSettings(values: HookValues): HookSettings {
  const problems: ConfigProblem[] = [];
  const hooks: Partial<Record<HookName, HookTarget>> = {};
  for (const [hook, name] of Object.entries(VARIABLE_NAMES) as [HookName, string][]) {
    if (values[`GOTRUE_HOOK_${name}_ENABLED`] !== true) continue;
    const target = values[`GOTRUE_HOOK_${name}_URI`] as z.output<typeof uriSchema> | undefined;
    const keys = values[`GOTRUE_HOOK_${name}_SECRETS`] as string[] | undefined;
    if (target === undefined) problems.push(missing(name, 'URI', URI_ALLOWED));
    else if (target.kind === 'function') hooks[hook] = target;
    else if (keys === undefined) problems.push(missing(name, 'SECRETS', SECRETS_ALLOWED));
    else hooks[hook] = { ...target, keys };
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { hooks };
}

function missing(name: string, part: 'URI' | 'SECRETS', allowed: string): ConfigProblem {
  const since = `GOTRUE_HOOK_${name}_ENABLED is true`;
  return { name: `GOTRUE_HOOK_${name}_${part}`, value: '', allowed: `${allowed} (${since})` };
}
