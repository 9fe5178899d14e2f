/** GET /settings: what clients may offer on their sign-in pages. */
import type { AuthContext, AuthResponse } from './endpoint.ts';

/** The external providers that clients ask about, in GoTrue's order. */
const EXTERNAL_PROVIDERS = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'snapchat',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
  'twitter',
  'zoom',
];

/** Answers the settings. */
export async function settings({ config }: AuthContext): Promise<AuthResponse> {
  const providers = Object.fromEntries(EXTERNAL_PROVIDERS.map((provider) => [provider, false]));
  const { email, phone, anonymousUsers } = config.external;
  return {
    status: 200,
    body: {
      external: { anonymous_users: anonymousUsers, ...providers, email, phone },
      disable_signup: config.disableSignup,
      mailer_autoconfirm: config.autoconfirm.email,
      phone_autoconfirm: config.autoconfirm.phone,
      sms_provider: '',
      saml_enabled: config.saml.key !== undefined,
      saml_private_key_next_configured: false,
      passkeys_enabled: config.passkeys.enabled,
    },
  };
}
