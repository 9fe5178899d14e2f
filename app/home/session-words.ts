/** Words for what a session's claims say in codes. */

/** Methods of the auth service (`amr`). */
const METHODS: Readonly<Record<string, string>> = {
  anonymous: 'No credentials',
  'email/signup': 'Email confirmation',
  email_change: 'Email change',
  invite: 'Invitation',
  magiclink: 'Link by email',
  'mfa/phone': 'Code by phone (second step)',
  'mfa/webauthn': 'Security key (second step)',
  oauth: 'Another service',
  otp: 'One-time code',
  passkey: 'Passkey',
  password: 'Password',
  recovery: 'Recovery link',
  'sso/saml': 'Single sign-on',
  totp: 'Authenticator app (second step)',
  web3: 'Wallet',
};

/** A method in words; one that is unknown keeps its code. */
export function methodLabel(method: string): string {
  return Object.hasOwn(METHODS, method) ? (METHODS[method] ?? method) : method;
}

/** What an assurance level means. */
export function assuranceLabel(level: string): string {
  return level === 'aal2' ? 'Two steps' : 'One step';
}
