/** Descriptions of custom providers. */
import type { ProviderDescription } from '../description.ts';
import { standardProfile } from '../descriptions/standard-profile.ts';
import { record } from '../json.ts';
import type { Profile } from '../profile.ts';
import type { CustomProviderRow } from './statements.ts';

type Claims = Record<string, unknown>;

export function describeCustomProvider(row: CustomProviderRow): ProviderDescription {
  const common = {
    parameters: row.authorization_params,
    pkce: row.pkce_enabled,
  };
  if (row.provider_type === 'oidc') {
    return {
      ...common,
      kind: 'oidc',
      scopes: [...new Set(['openid', ...row.scopes])],
      issuer: () => row.issuer ?? '',
      ...(row.discovery_url && { discoveryUrl: row.discovery_url }),
      profile: (claims) => mappedProfile(row, claims),
    };
  }
  return {
    ...common,
    kind: 'oauth2',
    scopes: row.scopes,
    endpoints: () => ({ authorization: row.authorization_url ?? '', token: row.token_url ?? '' }),
    resources: () => ({ user: row.userinfo_url ?? '' }),
    profile: ({ user }) => {
      const profile = mappedProfile(row, record(user));
      return profile.subject === '' ? undefined : profile;
    },
  };
}

/**
 * `attribute_mapping` maps standard claims to the provider's names for them. It only renames claims and
 * computes no values.
 */
function mappedProfile(
  {
    attribute_mapping: mapping,
    custom_claims_allowlist: allowlist,
    provider_type,
    authorization_url,
  }: CustomProviderRow,
  raw: Claims,
): Profile {
  const mapped = Object.entries(mapping).flatMap(([claim, name]) =>
    typeof name === 'string' && Object.hasOwn(raw, name) ? [[claim, raw[name]] as const] : [],
  );
  // A plain OAuth 2.0 API may return private data, so only standard claims are taken over.
  const base = provider_type === 'oidc' ? raw : standardClaims(raw, new URL(authorization_url ?? '').origin);
  const profile = standardProfile({ ...base, ...Object.fromEntries(mapped) });
  const names = Object.fromEntries(mapped.filter(([claim]) => !RESERVED_CLAIMS.has(claim)));
  const custom = allowlist.flatMap((name) => (Object.hasOwn(raw, name) ? [[name, raw[name]]] : []));
  const allowed = allowlist.length > 0 && { custom_claims: Object.fromEntries(custom) };
  return { ...profile, claims: { ...profile.claims, ...names, ...allowed } };
}

/** Claims that are determined elsewhere. */
const RESERVED_CLAIMS = new Set(['iss', 'sub', 'provider_id', 'email', 'email_verified', 'phone_verified']);

const STANDARD = [
  ...['sub', 'name', 'given_name', 'family_name', 'nickname', 'preferred_username', 'picture', 'email'],
  ...['email_verified', 'locale', 'zoneinfo', 'profile', 'website'],
];

/** Plain OAuth 2.0 defines no claim for the user's id; most APIs call it `id`. */
function standardClaims(raw: Claims, issuer: string): Claims {
  const standard = STANDARD.flatMap((name) => (Object.hasOwn(raw, name) ? [[name, raw[name]]] : []));
  return { sub: raw.id, ...Object.fromEntries(standard), iss: issuer };
}
