/** Providers of OpenID Connect, in the order of their names. */
import type { OidcDescription } from '../description.ts';
import { identifier, record, text, truth } from '../json.ts';
import { emailOf, type Profile, profileOf } from '../profile.ts';

const common = { kind: 'oidc', scopes: ['openid', 'email', 'profile'], pkce: true } as const;

/** Claims that are of no use as metadata: they are about the token and not about the person. */
const OF_THE_TOKEN = new Set([
  ...['iss', 'aud', 'azp', 'exp', 'iat', 'nbf', 'jti', 'nonce', 'at_hash', 'c_hash', 's_hash', 'auth_time'],
  ...[
    'acr',
    'amr',
    'sid',
    'typ',
    'session_state',
    'nonce_supported',
    'email_verified',
    'rh',
    'uti',
    'ver',
    'aio',
  ],
]);

/** Claims under their standard names. */
export function standardProfile(
  claims: Record<string, unknown>,
  { isVerified = truth(claims.email_verified) } = {},
): Profile {
  const more = Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_THE_TOKEN.has(name)));
  return profileOf(identifier(claims.sub) ?? '', [emailOf(text(claims.email), isVerified)], {
    issuer: text(claims.iss) ?? '',
    name: text(claims.name),
    userName: text(claims.preferred_username),
    picture: text(claims.picture),
    more,
  });
}

const standard = (claims: Record<string, unknown>) => standardProfile(claims);
/** The sign-in page at the usual address; at another one it has to be discovered. */
const page = (url: string) => (base: string | undefined) => (base === undefined ? url : undefined);
const at = (issuer: string) => (base: string | undefined) => base ?? issuer;

/** https://developer.apple.com/documentation/signinwithapple */
const apple: OidcDescription = {
  ...common,
  scopes: ['openid', 'email', 'name'],
  // Apple sends name and address to a form, and not to a URL.
  parameters: { response_mode: 'form_post' },
  issuer: at('https://appleid.apple.com'),
  signInPage: page('https://appleid.apple.com/auth/authorize'),
  profile(claims, form) {
    const { name } = record(parseJson(form.get('user')));
    const { firstName, lastName } = record(name);
    const full = [text(firstName), text(lastName)].filter(Boolean).join(' ');
    return standardProfile({ ...claims, ...(full && { name: full }) });
  },
};

const AZURE_ISSUER =
  /^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\/(?<tenant>[\w-]{36})\/(?:v2\.0)?$/;
/** The tenant of private accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** A URL names one tenant, or a kind of them. All have the same keys, so nothing else keeps another one's people out. */
function isTenantOf(tenant: string, base = 'common'): boolean {
  const wanted = base.split('/').at(-1);
  if (wanted === 'common') return true;
  if (wanted === 'organizations') return tenant !== CONSUMERS;
  return tenant === (wanted === 'consumers' ? CONSUMERS : wanted);
}

/** https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc; one issuer for each tenant. */
const azure: OidcDescription = {
  ...common,
  issuer: (base) => `${base ?? 'https://login.microsoftonline.com/common'}/v2.0`,
  signInPage: (base) => `${base ?? 'https://login.microsoftonline.com/common'}/oauth2/v2.0/authorize`,
  acceptsIssuer(issuer, base) {
    const { tenant } = AZURE_ISSUER.exec(issuer)?.groups ?? {};
    return tenant !== undefined && isTenantOf(tenant, base);
  },
  // Administrators of a tenant may write any address; this claim says that somebody has looked after its domain.
  profile: (claims) => standardProfile(claims, { isVerified: truth(claims.xms_edov) }),
};

/** https://developers.google.com/identity/openid-connect */
const google: OidcDescription = {
  ...common,
  issuer: at('https://accounts.google.com'),
  signInPage: page('https://accounts.google.com/o/oauth2/v2/auth'),
  profile: standard,
};

/** A realm of a server of one's own: https://www.keycloak.org/securing-apps/oidc-layers */
const keycloak: OidcDescription = {
  ...common,
  issuer: at(''),
  signInPage: (base) => `${base}/protocol/openid-connect/auth`,
  profile: standard,
};

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
const linkedin_oidc: OidcDescription = {
  ...common,
  pkce: false,
  issuer: at('https://www.linkedin.com/oauth'),
  signInPage: page('https://www.linkedin.com/oauth/v2/authorization'),
  profile: standard,
};

/** https://docs.slack.dev/authentication/sign-in-with-slack */
const slack_oidc: OidcDescription = {
  ...common,
  pkce: false,
  issuer: at('https://slack.com'),
  signInPage: page('https://slack.com/openid/connect/authorize'),
  profile: standard,
};

/** Known by its ID tokens only. */
const vercel_marketplace: OidcDescription = {
  ...common,
  issuer: at('https://marketplace.vercel.com'),
  profile: (claims) =>
    standardProfile({
      ...claims,
      name: claims.user_name,
      email: claims.user_email,
      picture: claims.user_avatar_url,
    }),
};

/** By their names. */
export const oidcProviders = {
  apple,
  azure,
  google,
  keycloak,
  linkedin_oidc,
  slack_oidc,
  vercel_marketplace,
};

function parseJson(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}
