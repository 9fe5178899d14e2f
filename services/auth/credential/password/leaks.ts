/**
 * Whether a password is known to have been leaked. Asked in the protocol of Have I Been Pwned (k-anonymity): its server
 * is told the first five hexadecimal digits of the SHA-1, which many passwords share, and lists the rest of those that
 * it knows; padded, so that the length of an answer says nothing to who watches the line.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LeakCheck } from '../../contracts/passwords.ts';
import { limitedText } from '../../http/limited-text.ts';
import type { LeakSettings } from '../../settings/leaks.ts';

const PREFIX_LENGTH = 5;
/** A range has about 40 kB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** People wait for it. */
const TIMEOUT_MS = 2000;
const CACHE_CHARACTERS = 8 * 1024 * 1024;
const CACHE_MS = 3_600_000;
/** Lines of the other 35 digits and how often the password was seen; 0 is padding. */
const RANGE = /^[0-9A-F]{35}:\d+\s/i;

/** Creates the check. Where it is off, no password was leaked. */
export function createLeakCheck(settings: LeakSettings | undefined): LeakCheck {
  if (settings === undefined) return async () => false;
  const ranges = new LRUCache<string, string>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (range) => range.length,
    ttl: CACHE_MS,
    fetchMethod: (prefix) => fetchRange(settings, prefix),
    // A range that others push out of the cache while it is on its way is still wanted.
    ignoreFetchAbort: true,
  });
  return async (password) => {
    const digest = hash('sha1', password, 'hex').toUpperCase();
    const range = (await ranges.fetch(digest.slice(0, PREFIX_LENGTH))) ?? '';
    return isListed(range, digest.slice(PREFIX_LENGTH));
  };
}

async function fetchRange({ rangeUrl }: LeakSettings, prefix: string): Promise<string> {
  const response = await fetch(`${rangeUrl}/${prefix}`, {
    headers: { 'add-padding': 'true', 'user-agent': 'greenroom' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await limitedText(response, MAX_ANSWER_BYTES);
  if (response.ok && RANGE.test(`${text}\n`)) return text;
  throw new Error(`the list of leaked passwords was answered with ${response.status} and is none`);
}

function isListed(range: string, suffix: string): boolean {
  return new RegExp(`^${suffix}:0*[1-9]`, 'im').test(range);
}
