/** Settings of hooks: database functions and HTTP endpoints that the service calls at certain events. */
import {
  booleanSetting,
  ConfigError,
  type ConfigProblem,
  type ConfigValue,
  missingSetting,
  type SettingsOf,
  scalarText,
  setting,
} from '@greenroom/config';
import { z } from 'zod';

/** A function of the project's database. */
export interface FunctionTarget {
  kind: 'function';
  uri: string;
  schema: string;
  name: string;
}

/** An HTTP endpoint. */
export interface HttpTarget {
  kind: 'http';
  url: string;
  /** Signing keys in base64 (RFC 4648 §4), at least one. */
  keys: readonly string[];
}

/** The function or endpoint of a hook. */
export type HookTarget = FunctionTarget | HttpTarget;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** At least 24 bytes, as Standard Webhooks requires. */
const SECRET = /^v1,whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;

const URI_ALLOWED =
  'pg-functions://postgres/SCHEMA/FUNCTION, or an https:// URL (http:// for localhost only)';
const SECRETS_ALLOWED =
  'v1,whsec_ followed by 24 to 64 bytes in base64; several secrets are separated by a vertical bar';

function readTarget(text: string): FunctionTarget | Omit<HttpTarget, 'keys'> | undefined {
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

/**
 * Returns the URI of a hook in config.toml. Containers of the hosted stack reach this machine under a name of Docker,
 * which existing projects contain.
 */
function hookUriText(value: ConfigValue): string {
  return scalarText(value).replace(/^(https?:\/\/)host\.docker\.internal(?=[:/]|$)/, '$1127.0.0.1');
}

/** The three settings of a hook. `name` is the part that distinguishes their names. */
function hook(name: string, purpose: string) {
  const table = `auth.hook.${name.toLowerCase()}`;
  return {
    isEnabled: booleanSetting(`GOTRUE_HOOK_${name}_ENABLED`, {
      default: 'false',
      configKey: `${table}.enabled`,
      description: `Whether a hook is called ${purpose}.`,
    }),
    target: setting(`GOTRUE_HOOK_${name}_URI`, uriSchema, URI_ALLOWED, {
      default: undefined,
      configKey: { key: `${table}.uri`, requires: `${table}.enabled`, toText: hookUriText },
      description: `Function or endpoint of the hook ${name}.`,
    }),
    keys: setting(`GOTRUE_HOOK_${name}_SECRETS`, secretsSchema, SECRETS_ALLOWED, {
      default: undefined,
      configKey: { key: `${table}.secrets`, requires: `${table}.enabled` },
      description: `Secrets that sign requests of the hook ${name} to an endpoint.`,
      secret: true,
    }),
  };
}

export const hookTree = {
  customAccessToken: hook('CUSTOM_ACCESS_TOKEN', 'for the claims of each access token'),
  sendEmail: hook('SEND_EMAIL', 'instead of sending mails'),
  sendSms: hook('SEND_SMS', 'instead of sending SMS'),
  beforeUserCreated: hook('BEFORE_USER_CREATED', 'to approve each new account'),
  afterUserCreated: hook('AFTER_USER_CREATED', 'after a new account is created'),
  mfaVerificationAttempt: hook('MFA_VERIFICATION_ATTEMPT', 'for each code of a second factor'),
  passwordVerificationAttempt: hook('PASSWORD_VERIFICATION_ATTEMPT', 'for each password of a sign-in'),
};

/** The name of a hook in code. */
export type HookName = keyof typeof hookTree;

/** Returns the enabled hooks. Throws ConfigError if one has no URI or no secrets. */
export function completeHooks(
  values: SettingsOf<typeof hookTree>,
): Readonly<Partial<Record<HookName, HookTarget>>> {
  const problems: ConfigProblem[] = [];
  const hooks: Partial<Record<HookName, HookTarget>> = {};
  for (const name of Object.keys(hookTree) as HookName[]) {
    const { isEnabled, target, keys } = values[name];
    const declared = hookTree[name];
    const reason = `${declared.isEnabled.name} is true`;
    if (!isEnabled) continue;
    if (target === undefined) problems.push(missingSetting(declared.target, reason));
    else if (target.kind === 'function') hooks[name] = target;
    else if (keys === undefined) problems.push(missingSetting(declared.keys, reason));
    else hooks[name] = { ...target, keys };
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return hooks;
}
