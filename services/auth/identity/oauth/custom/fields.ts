/** What admins say of a provider, checked. */
import { z } from 'zod';
import { failure } from '../../../errors.ts';
import { optionalTextField } from '../../../http/request-body.ts';
import { CUSTOM_PREFIX } from './find.ts';
import type { CustomProviderRow } from './statements.ts';

const IDENTIFIER = /^custom:[a-z0-9](?:[a-z0-9:-]{0,41}[a-z0-9])?$/;
const MAX_LIST = 100;
const MAX_TEXT = 2048;

const texts = z.array(z.string().max(MAX_TEXT)).max(MAX_LIST).nullish();
const truth = z.boolean().nullish();
const type = z.enum(['oauth2', 'oidc']).nullish();

/** The fields of a body. */
export const customProviderFields = z.object({
  provider_type: type,
  identifier: optionalTextField,
  name: optionalTextField,
  client_id: optionalTextField,
  client_secret: optionalTextField,
  acceptable_client_ids: texts,
  scopes: texts,
  pkce_enabled: truth,
  attribute_mapping: z.record(z.string(), z.unknown()).nullish(),
  authorization_params: z.record(z.string(), z.string()).nullish(),
  custom_claims_allowlist: texts,
  enabled: truth,
  email_optional: truth,
  issuer: optionalTextField,
  discovery_url: optionalTextField,
  skip_nonce_check: truth,
  authorization_url: optionalTextField,
  token_url: optionalTextField,
  userinfo_url: optionalTextField,
  jwks_uri: optionalTextField,
});

type Fields = z.output<typeof customProviderFields>;
type Draft = Omit<CustomProviderRow, 'client_secret' | 'created_at' | 'updated_at'>;

/** The name that clients use. Throws `validation_failed`. */
export function requireIdentifier(identifier: string | undefined): string {
  if (identifier !== undefined && IDENTIFIER.test(identifier)) return identifier;
  throw refused(`identifier must begin with ${CUSTOM_PREFIX} and consist of a-z, 0-9, - and :`);
}

/** A provider as it was, or nothing of one, with what is said of it today. */
export function applyFields(
  former: Partial<CustomProviderRow> & Pick<CustomProviderRow, 'id' | 'identifier'>,
  fields: Fields,
): Draft {
  return {
    id: former.id,
    identifier: former.identifier,
    provider_type: former.provider_type ?? fields.provider_type ?? 'oidc',
    name: fields.name ?? former.name ?? '',
    client_id: fields.client_id ?? former.client_id ?? '',
    acceptable_client_ids: fields.acceptable_client_ids ?? former.acceptable_client_ids ?? [],
    scopes: fields.scopes ?? former.scopes ?? [],
    pkce_enabled: fields.pkce_enabled ?? former.pkce_enabled ?? true,
    attribute_mapping: fields.attribute_mapping ?? former.attribute_mapping ?? {},
    authorization_params: fields.authorization_params ?? former.authorization_params ?? {},
    custom_claims_allowlist: fields.custom_claims_allowlist ?? former.custom_claims_allowlist ?? [],
    enabled: fields.enabled ?? former.enabled ?? true,
    email_optional: fields.email_optional ?? former.email_optional ?? false,
    issuer: fields.issuer ?? former.issuer ?? null,
    discovery_url: fields.discovery_url ?? former.discovery_url ?? null,
    skip_nonce_check: fields.skip_nonce_check ?? former.skip_nonce_check ?? false,
    authorization_url: fields.authorization_url ?? former.authorization_url ?? null,
    token_url: fields.token_url ?? former.token_url ?? null,
    userinfo_url: fields.userinfo_url ?? former.userinfo_url ?? null,
    jwks_uri: fields.jwks_uri ?? former.jwks_uri ?? null,
  };
}

const NEEDED = {
  oidc: ['name', 'client_id', 'issuer'],
  oauth2: ['name', 'client_id', 'authorization_url', 'token_url', 'userinfo_url'],
} as const;
const LIMITS = { name: 100, client_id: 512 } as const;
const URLS = [
  'issuer',
  'discovery_url',
  'authorization_url',
  'token_url',
  'userinfo_url',
  'jwks_uri',
] as const;
const RESERVED = new Set([
  ...['client_id', 'client_secret', 'redirect_uri', 'response_type', 'state', 'nonce', 'scope'],
  ...['code_challenge', 'code_challenge_method', 'code_verifier'],
]);

/** Throws `validation_failed` where something is missing, too long, or no URL that may be called. */
export function requireComplete(draft: Draft): void {
  const missing = NEEDED[draft.provider_type].find((name) => !draft[name]);
  if (missing !== undefined) throw refused(`${missing} is required`);
  for (const [name, limit] of Object.entries(LIMITS)) {
    if (draft[name as keyof typeof LIMITS].length > limit)
      throw refused(`${name} is longer than ${limit} characters`);
  }
  const wrong = URLS.find((name) => draft[name] !== null && !isCallable(draft[name]));
  if (wrong !== undefined) throw refused(`${wrong} must be an https URL`);
  const reserved = Object.keys(draft.authorization_params).find((name) => RESERVED.has(name));
  if (reserved !== undefined) throw refused(`authorization_params must not set ${reserved}`);
}

/** With TLS, or on this machine. */
function isCallable(url: string): boolean {
  if (url.length > MAX_TEXT || !URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  if (username !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  );
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
