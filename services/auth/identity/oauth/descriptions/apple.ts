import type { OidcDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { defaultIssuer, defaultSignInPage, oidcDefaults } from './oidc-defaults.ts';
import { standardProfile } from './standard-profile.ts';

/** https://developer.apple.com/documentation/signinwithapple */
export const apple: OidcDescription = {
  ...oidcDefaults,
  scopes: ['openid', 'email', 'name'],
  // Required by Apple for the scopes `email` and `name`.
  parameters: { response_mode: 'form_post' },
  issuer: defaultIssuer('https://appleid.apple.com'),
  signInPage: defaultSignInPage('https://appleid.apple.com/auth/authorize'),
  profile(claims, form) {
    const { name } = record(parseJson(form.get('user')));
    const { firstName, lastName } = record(name);
    const full = [text(firstName), text(lastName)].filter(Boolean).join(' ');
    return standardProfile({ ...claims, ...(full && { name: full }) });
  },
};

function parseJson(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}
