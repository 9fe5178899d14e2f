/**
 * Checks whether a password has been leaked, with the k-anonymity protocol of Have I Been Pwned. The request contains
 * only the first five hexadecimal digits of the SHA-1 hash, which many passwords share. The response lists the rest of
 * all known hashes with these digits. It is padded, so that its length reveals nothing to an eavesdropper.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LeakCheck } from '../../contracts/passwords.ts';
import { limitedText } from '../../http/limited-text.ts';
import type { LeakSettings } from '../../settings/leaks.ts';

const PREFIX_LENGTH = 5;
/** A list has about 40 kB. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Short, because the user waits for the response. */
const TIMEOUT_MS = 2000;
const CACHE_CHARACTERS = 8 * 1024 * 1024;
const CACHE_MS = 3_600_000;
/** Each line has the other 35 digits and how often the password was seen; 0 marks padding. */
const RANGE = /^[0-9A-F]{35}:\d+\s/i;

/** Creates the check. If it is disabled, it returns false for every password. */
export function createLeakCheck(settings: LeakSettings | undefined): LeakCheck {
  if (settings === undefined) return async () => false;
  const ranges = new LRUCache<string, string>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (range) => range.length,
    ttl: CACHE_MS,
    fetchMethod: (prefix) => fetchRange(settings, prefix),
    // Completes the fetch of a list that other lists evict from the cache in the meantime.
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
  const text = await limitedText(response, MAX_RESPONSE_BYTES);
  if (response.ok && RANGE.test(`${text}\n`)) return text;
  throw new Error(
    `the service of leaked passwords responded with status ${response.status} and without a list`,
  );
}

function isListed(range: string, suffix: string): boolean {
  return new RegExp(`^${suffix}:0*[1-9]`, 'im').test(range);
}
