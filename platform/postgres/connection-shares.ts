/**
 * Limits the connections that slow statements may keep busy. A statement that is not known to be quick acquires a
 * permit first, so that slow statements of one client leave connections to other clients, and all slow statements
 * together leave connections to quick reads.
 */
import { clientKeys, createFairQueue, type FairQueue, networksOf, QueueFullError } from '@greenroom/limits';
import { PoolTimeoutError } from './pool.ts';
import type { CancelSignal } from './raw-batch/cancel-signal.ts';

/** The client that a statement runs for. */
export interface ShareHolder {
  /** Id of the client's account, if it has signed in. */
  account?: string | undefined;
  /** The client's network address. Empty for a client that is not counted; only the total limit applies to it. */
  address: string;
}

/** Releases a permit. Further calls do nothing. */
export type ReleaseShare = () => void;

/** The permits to keep a connection busy. */
export interface ConnectionShares {
  /** Returns a permit if one is free now. */
  tryAcquire(holder: ShareHolder): ReleaseShare | undefined;
  /**
   * Waits for a permit. Rejects with `QueueFullError` if too many statements wait, with {@link PoolTimeoutError} after
   * too long, and with the reason of `signal` if that aborts first. Sets the listener of `signal` while it waits.
   */
  acquire(holder: ShareHolder, signal?: CancelSignal): Promise<ReleaseShare>;
  /** Returns the number of statements that wait for a permit. */
  waiting(): number;
}

/** Options of {@link createConnectionShares}. */
interface ConnectionSharesOptions {
  /** Number of connections of the pool. */
  max: number;
  /** Maximum time that a statement waits for a permit, in milliseconds. */
  timeoutMs: number;
}

/** Fraction of the connections that only quick reads use; at least one connection if there are several. */
const QUICK_SHARE = 0.2;
/** Fraction of the connections that one client may keep busy. */
const CLIENT_SHARE = 0.25;
/** Fraction of the connections that all accounts of one address may keep busy together. */
const ADDRESS_SHARE = 0.75;
/**
 * Maximum number of waiting statements of one client. Waiting costs little; a page that loads everything at once has a
 * few dozen.
 */
const MAX_WAITING_PER_CLIENT = 200;
/** Maximum number of waiting statements of all clients. */
const MAX_WAITING = 5000;

/** Creates the permits of a pool. */
export function createConnectionShares({ max, timeoutMs }: ConnectionSharesOptions): ConnectionShares {
  const total = atLeastOne(max - Math.max(1, Math.floor(max * QUICK_SHARE)));
  const ofAddress = atLeastOne(Math.min(Math.floor(max * ADDRESS_SHARE), total - 1));
  const bounds = { maxWaiting: MAX_WAITING, maxWaitingPerClient: MAX_WAITING_PER_CLIENT };
  const addresses = createFairQueue({ max: Number.POSITIVE_INFINITY, maxPerClient: ofAddress, ...bounds });
  const clients = createFairQueue({
    max: total,
    maxPerClient: atLeastOne(Math.floor(max * CLIENT_SHARE)),
    ...bounds,
  });

  function tryAcquire(holder: ShareHolder): ReleaseShare | undefined {
    const { own, network } = keysOf(holder);
    if (own.length === 0) return clients.tryAcquire(own);
    const ofAll = addresses.tryAcquire(network);
    const ofOwn = ofAll && clients.tryAcquire(own);
    if (ofAll !== undefined && ofOwn !== undefined) return both(ofOwn, ofAll);
    ofAll?.();
    return undefined;
  }

  return {
    tryAcquire,
    waiting: () => addresses.waiting + clients.waiting,
    async acquire(holder, signal) {
      if (signal?.aborted) throw signal.reason;
      const waiting = new QueueSignal();
      const timeout = setTimeout(() => {
        waiting.abort(new PoolTimeoutError(`no connection became available within ${timeoutMs} ms`));
      }, timeoutMs).unref();
      const onAbort = () => waiting.abort(signal?.reason);
      if (signal !== undefined) signal.onabort = onAbort;
      try {
        return await acquireBoth(addresses, clients, holder, waiting as unknown as AbortSignal);
      } finally {
        clearTimeout(timeout);
        if (signal !== undefined) signal.onabort = null;
      }
    },
  };
}

/**
 * The part of an `AbortSignal` that a queue uses. Under load most writes wait, and an event target costs more than
 * this.
 */
class QueueSignal {
  aborted = false;
  reason: unknown;
  #listener: (() => void) | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#listener?.();
  }
}

/** Acquires the client's own permit last, so that while it waits it occupies only a permit of its address. */
async function acquireBoth(
  addresses: FairQueue,
  clients: FairQueue,
  holder: ShareHolder,
  signal: AbortSignal,
): Promise<ReleaseShare> {
  const { own, network } = keysOf(holder);
  if (own.length === 0) return clients.acquire(own, signal);
  const ofAll = await addresses.acquire(network, signal);
  try {
    return both(await clients.acquire(own, signal), ofAll);
  } catch (error) {
    ofAll();
    throw error;
  }
}

/** Returns the widest key of a client; undefined for a client that is not counted. */
export function shareKeyOf(holder: ShareHolder | undefined): string | undefined {
  return holder && keysOf(holder).own.at(-1);
}

interface Keys {
  own: readonly string[];
  network: readonly string[];
}

const NO_KEYS: Keys = { own: [], network: [] };

/** Many accounts of one address share connections, so each client also counts under its networks. */
function keysOf({ account, address }: ShareHolder): Keys {
  if (address === '') return NO_KEYS;
  return { own: clientKeys({ account, address }), network: networksOf(address) };
}

function both(first: ReleaseShare, second: ReleaseShare): ReleaseShare {
  return () => {
    first();
    second();
  };
}

function atLeastOne(count: number): number {
  return Math.max(1, count);
}

/** Whether a statement was rejected because too many statements wait for a connection, of its client or in total. */
export function isQueueFull(error: unknown): error is QueueFullError {
  return error instanceof QueueFullError;
}
