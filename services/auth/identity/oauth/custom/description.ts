/** What a provider is like that an admin has added. */
import type { ProviderDescription } from '../description.ts';
import { standardProfile } from '../descriptions/standard-profile.ts';
import { record } from '../json.ts';
import type { Profile } from '../profile.ts';
import type { CustomProviderRow } from './statements.ts';

type Claims = Record<string, unknown>;

/** Describes it. */
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

/** `attribute_mapping` says for a standard claim what the provider calls it. Names and not values: nothing is computed. */
function mappedProfile(
  {
    attribute_mapping: mapping,
    custom_claims_allowlist: kept,
    provider_type,
    authorization_url,
  }: CustomProviderRow,
  raw: Claims,
): Profile {
  const mapped = Object.entries(mapping).flatMap(([claim, name]) =>
    typeof name === 'string' && Object.hasOwn(raw, name) ? [[claim, raw[name]] as const] : [],
  );
  // What else an API of plain OAuth 2.0 tells is not known to be fit for everybody's eyes.
  const base = provider_type === 'oidc' ? raw : standardClaims(raw, new URL(authorization_url ?? '').origin);
  const profile = standardProfile({ ...base, ...Object.fromEntries(mapped) });
  const names = Object.fromEntries(mapped.filter(([claim]) => !DERIVED.has(claim)));
  const custom = kept.flatMap((name) => (Object.hasOwn(raw, name) ? [[name, raw[name]]] : []));
  const allowed = kept.length > 0 && { custom_claims: Object.fromEntries(custom) };
  return { ...profile, claims: { ...profile.claims, ...names, ...allowed } };
}

/** What these are about is known by other ways already. */
const DERIVED = new Set(['iss', 'sub', 'provider_id', 'email', 'email_verified', 'phone_verified']);

const STANDARD = [
  ...['sub', 'name', 'given_name', 'family_name', 'nickname', 'preferred_username', 'picture', 'email'],
  ...['email_verified', 'locale', 'zoneinfo', 'profile', 'website'],
];

/** Plain OAuth 2.0 has no name for a person's id; most APIs call it `id`. */
function standardClaims(raw: Claims, issuer: string): Claims {
  const known = STANDARD.flatMap((name) => (Object.hasOwn(raw, name) ? [[name, raw[name]]] : []));
  return { sub: raw.id, ...Object.fromEntries(known), iss: issuer };
}
