/** Parses and validates the body that describes a custom provider. */
import { z } from 'zod';
import { failure } from '../../../errors.ts';
import { optionalTextField } from '../../../http/request-body.ts';
import { CUSTOM_PREFIX } from './find.ts';
import type { CustomProviderRow } from './statements.ts';

const IDENTIFIER = /^custom:[a-z0-9](?:[a-z0-9:-]{0,41}[a-z0-9])?$/;
const MAX_LIST = 100;
const MAX_TEXT = 2048;

const texts = z.array(z.string().max(MAX_TEXT)).max(MAX_LIST).nullish();
const flag = z.boolean().nullish();
const type = z.enum(['oauth2', 'oidc']).nullish();

export const customProviderFields = z.object({
  provider_type: type,
  identifier: optionalTextField,
  name: optionalTextField,
  client_id: optionalTextField,
  client_secret: optionalTextField,
  acceptable_client_ids: texts,
  scopes: texts,
  pkce_enabled: flag,
  attribute_mapping: z.record(z.string(), z.unknown()).nullish(),
  authorization_params: z.record(z.string(), z.string()).nullish(),
  custom_claims_allowlist: texts,
  enabled: flag,
  email_optional: flag,
  issuer: optionalTextField,
  discovery_url: optionalTextField,
  skip_nonce_check: flag,
  authorization_url: optionalTextField,
  token_url: optionalTextField,
  userinfo_url: optionalTextField,
  jwks_uri: optionalTextField,
});

type Fields = z.output<typeof customProviderFields>;
type Draft = Omit<CustomProviderRow, 'client_secret' | 'created_at' | 'updated_at'>;

/** Returns the name that clients use for the provider. Throws `validation_failed`. */
export function requireIdentifier(identifier: string | undefined): string {
  if (identifier !== undefined && IDENTIFIER.test(identifier)) return identifier;
  throw validationFailure(`identifier must begin with ${CUSTOM_PREFIX} and consist of a-z, 0-9, - and :`);
}

/** Applies the fields of a body to an existing or a new provider. */
export function applyFields(
  existing: Partial<CustomProviderRow> & Pick<CustomProviderRow, 'id' | 'identifier'>,
  fields: Fields,
): Draft {
  return {
    id: existing.id,
    identifier: existing.identifier,
    provider_type: existing.provider_type ?? fields.provider_type ?? 'oidc',
    name: fields.name ?? existing.name ?? '',
    client_id: fields.client_id ?? existing.client_id ?? '',
    acceptable_client_ids: fields.acceptable_client_ids ?? existing.acceptable_client_ids ?? [],
    scopes: fields.scopes ?? existing.scopes ?? [],
    pkce_enabled: fields.pkce_enabled ?? existing.pkce_enabled ?? true,
    attribute_mapping: fields.attribute_mapping ?? existing.attribute_mapping ?? {},
    authorization_params: fields.authorization_params ?? existing.authorization_params ?? {},
    custom_claims_allowlist: fields.custom_claims_allowlist ?? existing.custom_claims_allowlist ?? [],
    enabled: fields.enabled ?? existing.enabled ?? true,
    email_optional: fields.email_optional ?? existing.email_optional ?? false,
    issuer: fields.issuer ?? existing.issuer ?? null,
    discovery_url: fields.discovery_url ?? existing.discovery_url ?? null,
    skip_nonce_check: fields.skip_nonce_check ?? existing.skip_nonce_check ?? false,
    authorization_url: fields.authorization_url ?? existing.authorization_url ?? null,
    token_url: fields.token_url ?? existing.token_url ?? null,
    userinfo_url: fields.userinfo_url ?? existing.userinfo_url ?? null,
    jwks_uri: fields.jwks_uri ?? existing.jwks_uri ?? null,
  };
}

const REQUIRED = {
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

/** Throws `validation_failed` if a field is missing, too long or not an allowed URL. */
export function requireComplete(draft: Draft): void {
  const missing = REQUIRED[draft.provider_type].find((name) => !draft[name]);
  if (missing !== undefined) throw validationFailure(`${missing} is required`);
  for (const [name, limit] of Object.entries(LIMITS)) {
    if (draft[name as keyof typeof LIMITS].length > limit)
      throw validationFailure(`${name} is longer than ${limit} characters`);
  }
  const wrong = URLS.find((name) => draft[name] !== null && !isAllowedUrl(draft[name]));
  if (wrong !== undefined) throw validationFailure(`${wrong} must be an https URL`);
  const reserved = Object.keys(draft.authorization_params).find((name) => RESERVED.has(name));
  if (reserved !== undefined) throw validationFailure(`authorization_params must not set ${reserved}`);
}

/** Whether a URL uses HTTPS or a loopback address. */
function isAllowedUrl(url: string): boolean {
  if (url.length > MAX_TEXT || !URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  if (username !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  );
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
