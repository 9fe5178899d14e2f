/** Descriptions of the codes in a session's claims. */
import type { HomeTexts } from '../../texts/home.ts';

/** Methods of the auth service (`amr`), and the names of their texts. */
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

/** Returns the name of a method; an unknown one keeps its code. */
export function methodLabel(method: string, texts: HomeTexts): string {
  const name = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  return name === undefined ? method : texts.methods[name];
}

/** Returns the name of an assurance level. */
export function assuranceLabel(level: string, texts: HomeTexts): string {
  return texts.verificationLevels[level === 'aal2' ? 'aal2' : 'aal1'];
}
