/**
 * The client behind one socket: whom its limits count against, and what it holds of them. A socket counts against the
 * account of its first token that names one, and until then against its address; a later token changes nothing, so that a
 * client cannot spread its use over several accounts on one socket.
 */
import { clientKeys } from '@greenroom/limits';
import type { ClientCounts } from './client-counts.ts';
import type { Limits } from './limits.ts';
import type { Exhausted } from './shares.ts';

/** What is known of a client when its socket opens. */
export interface ClientOptions {
  limits: Limits;
  /** Address of the visitor. */
  address: string;
  /** Whether limits per client apply. */
  isCounted: boolean;
  /** `sub` of the socket's token; empty for anonymous ones. */
  subject: string;
}

/** Limits per client of one socket. All that it holds is returned by {@link close}. */
export class SocketClient {
  readonly limits: Limits;
  readonly #isCounted: boolean;
  readonly #held = new Map<ClientCounts, number>();
  #keys: readonly string[];
  #hasAccount: boolean;
  #isClosed = false;

  constructor({ limits, address, isCounted, subject }: ClientOptions) {
    this.limits = limits;
    this.#isCounted = isCounted;
    this.#hasAccount = subject !== '';
    this.#keys = isCounted ? clientKeys({ account: subject === '' ? undefined : subject, address }) : [];
  }

  /** Whether all that it held was returned. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Keys that limits count the client under; none where limits per client do not apply. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Takes something that is held until it is released. Returns the limit that is exhausted, if one is. */
  take(counts: ClientCounts, count = 1): Exhausted | undefined {
    if (this.#isClosed) return undefined;
    const exhausted = counts.take(this.#keys, count);
    if (exhausted === undefined) this.#note(counts, count);
    return exhausted;
  }

  /** Takes something whatever the limits say. */
  force(counts: ClientCounts, count = 1): void {
    if (this.#isClosed) return;
    counts.force(this.#keys, count);
    this.#note(counts, count);
  }

  release(counts: ClientCounts, count = 1): void {
    if (this.#isClosed) return;
    counts.release(this.#keys, count);
    this.#note(counts, -count);
  }

  /**
   * Counts the socket against an account from now on, with all that it holds. Only the first account counts, and only
   * while it has room for all of it.
   * @param subject `sub` of a verified token; empty for anonymous ones
   */
  signIn(subject: string): void {
    if (!this.#isCounted || this.#hasAccount || subject === '') return;
    const keys = clientKeys({ account: subject, address: '' });
    const moved: [ClientCounts, number][] = [];
    for (const [counts, count] of this.#held) {
      if (!counts.move(this.#keys, keys, count)) {
        for (const [earlier, held] of moved) earlier.move(keys, this.#keys, held);
        return;
      }
      moved.push([counts, count]);
    }
    this.#hasAccount = true;
    this.#keys = keys;
  }

  /** Returns everything that is still held; from now on nothing is counted. */
  close(): void {
    this.#isClosed = true;
    for (const [counts, count] of this.#held) counts.release(this.#keys, count);
    this.#held.clear();
  }

  #note(counts: ClientCounts, count: number): void {
    const held = (this.#held.get(counts) ?? 0) + count;
    if (held === 0) this.#held.delete(counts);
    else this.#held.set(counts, held);
  }
}
