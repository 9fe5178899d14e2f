/** Determines the rate-limit keys of a client. */

import { hash } from 'node:crypto';
import { clientKeys } from '@greenroom/limits';
import type { ClientKeyReader } from '../contracts/rate-limits.ts';

/** Longer keys are replaced by their hash, so that the number of keys bounds the memory. */
const MAX_KEY_LENGTH = 128;

/**
 * Creates the function that returns a client's keys. With GOTRUE_RATE_LIMIT_HEADER, the first item of that header is
 * the only key, as in GoTrue. Requests without the header are then not limited, because the proxy sets it for each
 * client.
 * @param header name in lower case; undefined: the account is the key, or else the client's networks
 */
export function createClientKeyReader(header: string | undefined): ClientKeyReader {
  if (header !== undefined) return (client) => headerKeys(client.header(header));
  return ({ address, isCounted }, account) => (isCounted ? clientKeys({ account, address }) : []);
}

function headerKeys(value: string | undefined): readonly string[] {
  const key = value?.split(',', 1)[0]?.trim();
  return key ? [boundedKey(`header:${key}`)] : [];
}

/** Bounds the length of a key. */
function boundedKey(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? text : `sha256:${hash('sha256', text, 'base64url')}`;
}
