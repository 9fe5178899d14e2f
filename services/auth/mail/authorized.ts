/** Restricts the recipients of mails to GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES, if it is set. */

import { failure } from '../errors.ts';
import type { AuthConfig } from '../settings/settings.ts';

type Rules = Pick<AuthConfig['mail'], 'authorizedAddresses'>;

/** Whether mails may be sent to an address. Ignores a label such as `+test` in `ann+test@…`. */
export function isAuthorizedAddress(address: string, { authorizedAddresses }: Rules): boolean {
  const plain = address.toLowerCase().replace(/\+[^@]+@/, '@');
  return authorizedAddresses.length === 0 || authorizedAddresses.includes(plain);
}

/** Throws `email_address_not_authorized`. */
export function requireAuthorizedAddress(address: string, { mail }: Pick<AuthConfig, 'mail'>): void {
  if (isAuthorizedAddress(address, mail)) return;
  const message = `Email address ${JSON.stringify(address)} cannot be used as it is not authorized`;
  throw failure('email_address_not_authorized', { message });
}
