/** Whom a request is counted against. */

import { hash } from 'node:crypto';
import { clientKeys } from '@greenroom/limits';
import type { ClientKeyReader } from '../contracts/rate-limits.ts';

/** Longer keys are replaced by their hash, so that the number of keys bounds the memory. */
const MAX_KEY_LENGTH = 128;

/**
 * Creates a reader. With GOTRUE_RATE_LIMIT_HEADER the first item of that header is the only key, as in GoTrue: requests
 * without it are not limited, because the proxy in front sets it for each client.
 * @param header its name in lower case; undefined: the account counts, or else the client's networks
 */
export function createClientKeyReader(header: string | undefined): ClientKeyReader {
  if (header !== undefined) return (client) => headerKeys(client.header(header));
  return ({ address, isCounted }, account) => (isCounted ? clientKeys({ account, address }) : []);
}

function headerKeys(value: string | undefined): readonly string[] {
  const key = value?.split(',', 1)[0]?.trim();
  return key ? [boundedKey(`header:${key}`)] : [];
}

/** A key of bounded length for text of any length. */
function boundedKey(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? text : `sha256:${hash('sha256', text, 'base64url')}`;
}
