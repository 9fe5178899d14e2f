/** GET /settings: the sign-in methods and features that clients may offer. */
import type { AuthContext } from '../context.ts';
import type { AuthResponse } from '../contracts/request.ts';
import { PROVIDERS } from '../identity/oauth/providers.ts';

const LISTED = PROVIDERS.filter(({ isListed = true }) => isListed);

/** Returns the public settings in GoTrue's shape. */
export async function settings({ config }: AuthContext): Promise<AuthResponse> {
  const { externalProviders } = config;
  const providers = Object.fromEntries(
    LISTED.map(({ name }) => [name, externalProviders.providers.has(name)]),
  );
  const { email, phone, anonymousUsers } = config.external;
  return {
    status: 200,
    body: {
      external: { anonymous_users: anonymousUsers, ...providers, email, phone },
      disable_signup: config.disableSignup,
      mailer_autoconfirm: config.autoconfirm.email,
      phone_autoconfirm: config.autoconfirm.phone,
      sms_provider: config.smsProvider ?? '',
      saml_enabled: config.saml.key !== undefined,
      saml_private_key_next_configured: false,
      passkeys_enabled: config.passkeys.enabled,
    },
  };
}
