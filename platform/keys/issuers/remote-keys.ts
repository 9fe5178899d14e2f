/**
 * The keys of an issuer, fetched when a token needs them. At most one request is sent at a time, with a pause after each,
 * regardless of the number and the content of tokens. While the issuer is unavailable, the last keys
 * remain in use for a day.
 */
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { JwtError } from '../jwt-error.ts';

/** Keys are fetched again after this time, so that a withdrawn key is rejected. */
const FRESH_MS = 10 * 60_000;
/** Keys that could not be fetched again are rejected after this time. */
const MAX_AGE_MS = 24 * 3_600_000;
/** Minimum time between two fetches, also for a token whose key is not in the set, and after a failure. */
const PAUSE_MS = 30_000;

/** The keys of one issuer. */
export interface RemoteKeys {
  /** Selects the key of a token by its header. Throws {@link JwtError}, or the errors of jose if no key matches. */
  find: JWTVerifyGetKey;
  /** Whether the last key set contains a key. */
  has(kid: unknown): boolean;
}

/** Options of {@link createRemoteKeys}. `now` returns milliseconds since the epoch. */
interface RemoteKeysOptions {
  /** Fetches the current key set. */
  fetchKeys: () => Promise<JSONWebKeySet>;
  /** Called with the reason if that fails. */
  onFailure: (error: unknown) => void;
  now: () => number;
}

interface KeySet {
  ids: ReadonlySet<unknown>;
  select: JWTVerifyGetKey;
  fetchedAt: number;
}

/** Creates the keys of an issuer. Nothing is fetched before the first token. */
export function createRemoteKeys({ fetchKeys, onFailure, now }: RemoteKeysOptions): RemoteKeys {
  let current: KeySet | undefined;
  let pending: Promise<void> | undefined;
  let lastAttemptAt = Number.NEGATIVE_INFINITY;

  async function fetchNow(): Promise<void> {
    try {
      const keySet = await fetchKeys();
      const ids = new Set(keySet.keys.map(({ kid }) => kid));
      current = { ids, select: createLocalJWKSet(keySet), fetchedAt: now() };
    } catch (error) {
      onFailure(error);
    }
  }

  /** Joins the fetch that runs, or starts one unless the pause is not over. */
  function refresh(): Promise<void> {
    if (pending === undefined && now() - lastAttemptAt >= PAUSE_MS) {
      pending = fetchNow().finally(() => {
        lastAttemptAt = now();
        pending = undefined;
      });
    }
    return pending ?? Promise.resolve();
  }

  function usable(): KeySet | undefined {
    return current !== undefined && now() - current.fetchedAt < MAX_AGE_MS ? current : undefined;
  }

  return {
    async find(header, token) {
      if (!usable()?.ids.has(header.kid)) await refresh();
      else if (now() - (current?.fetchedAt ?? 0) >= FRESH_MS) void refresh();
      const keys = usable();
      if (keys === undefined) throw new JwtError('signature', 'the keys of the issuer cannot be fetched');
      return keys.select(header, token);
    },
    has: (kid) => usable()?.ids.has(kid) ?? false,
  };
}
