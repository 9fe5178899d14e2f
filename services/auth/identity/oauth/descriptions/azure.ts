import type { OidcDescription } from '../description.ts';
import { isTrue } from '../json.ts';
import { oidcDefaults } from './oidc-defaults.ts';
import { standardProfile } from './standard-profile.ts';

const ISSUER =
  /^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\/(?<tenant>[\w-]{36})\/(?:v2\.0)?$/;
/** Tenant of personal accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';

/**
 * Whether the configured URL, which names a tenant or a group of tenants, includes this tenant. The check is
 * needed because all tenants share their signing keys.
 */
function isTenantOf(tenant: string, base = 'common'): boolean {
  const configuredTenant = base.split('/').at(-1);
  if (configuredTenant === 'common') return true;
  if (configuredTenant === 'organizations') return tenant !== CONSUMERS;
  return tenant === (configuredTenant === 'consumers' ? CONSUMERS : configuredTenant);
}

/** https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc; each tenant has an issuer. */
export const azure: OidcDescription = {
  ...oidcDefaults,
  issuer: (base) => `${base ?? 'https://login.microsoftonline.com/common'}/v2.0`,
  signInPage: (base) => `${base ?? 'https://login.microsoftonline.com/common'}/oauth2/v2.0/authorize`,
  acceptsIssuer(issuer, base) {
    const { tenant } = ISSUER.exec(issuer)?.groups ?? {};
    return tenant !== undefined && isTenantOf(tenant, base);
  },
  // Administrators of a tenant can enter any address; this claim says that its domain is verified.
  profile: (claims) => standardProfile(claims, { isVerified: isTrue(claims.xms_edov) }),
};
