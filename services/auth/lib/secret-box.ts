/**
 * Encrypts secrets that the service must read again, such as TOTP secrets. Secrets that GoTrue has stored unencrypted can
 * still be read.
 */
import { isSealed, unseal } from '@greenroom/keys';

export { seal } from '@greenroom/keys';

/** Decrypts a text; undefined if the key or owner differs or the text was changed. */
export function open(stored: string, key: Buffer, owner: string): string | undefined {
  return isSealed(stored) ? unseal(stored, key, owner) : stored;
}
