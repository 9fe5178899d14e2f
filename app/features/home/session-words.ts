/** Words for what a session's claims say in codes. */
import type { HomeTexts } from '../../texts/home.ts';

/** Methods of the auth service (`amr`), and which text is theirs. */
const METHODS: Readonly<Record<string, keyof HomeTexts['methods']>> = {
  anonymous: 'anonymous',
  'email/signup': 'emailSignUp',
  email_change: 'emailChange',
  invite: 'invite',
  magiclink: 'magicLink',
  'mfa/phone': 'phoneFactor',
  'mfa/webauthn': 'keyFactor',
  oauth: 'oauth',
  otp: 'otp',
  passkey: 'passkey',
  password: 'password',
  recovery: 'recovery',
  'sso/saml': 'sso',
  totp: 'totp',
  web3: 'web3',
};

/** A method in words; one that is unknown keeps its code. */
export function methodLabel(method: string, texts: HomeTexts): string {
  const name = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  return name === undefined ? method : texts.methods[name];
}

/** What an assurance level means. */
export function assuranceLabel(level: string, texts: HomeTexts): string {
  return level === 'aal2' ? texts.assuranceLevels.two : texts.assuranceLevels.one;
}
