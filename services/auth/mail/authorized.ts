/** Whom mails may go to, where GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES limits it. */

import { failure } from '../errors.ts';
import type { AuthConfig } from '../settings/settings.ts';

type Rules = Pick<AuthConfig['mail'], 'authorizedAddresses'>;

/** Whether mails may go to an address. A label (`ann+test@…`) does not matter. */
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
