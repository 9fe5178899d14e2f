/**
 * The client behind one socket, for limits per client: its keys and the resources that the socket holds. A socket
 * counts against the account of its first token that has one, and until then against its address. Later tokens do not
 * change this, so that a client cannot spread its usage over several accounts on one socket.
 */
import { clientKeys } from '@greenroom/limits';
import type { ClientCounts } from './client-counts.ts';
import type { Limits } from './limits.ts';
import type { Exhausted } from './shares.ts';

/** Options of {@link SocketClient}. */
export interface ClientOptions {
  limits: Limits;
  /** IP address of the visitor. */
  address: string;
  /** Whether limits per client apply. */
  isCounted: boolean;
  /** The claim `sub` of the socket's token; empty for anonymous clients. */
  subject: string;
}

/** Counts one socket against the limits of its client. {@link close} releases everything that the socket holds. */
export class SocketClient {
  readonly limits: Limits;
  readonly #isCounted: boolean;
  readonly #counts = new Map<ClientCounts, number>();
  #keys: readonly string[];
  #hasAccount: boolean;
  #isClosed = false;

  constructor({ limits, address, isCounted, subject }: ClientOptions) {
    this.limits = limits;
    this.#isCounted = isCounted;
    this.#hasAccount = subject !== '';
    this.#keys = isCounted ? clientKeys({ account: subject === '' ? undefined : subject, address }) : [];
  }

  /** Whether everything was released. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Keys that limits count the client under; empty if limits per client do not apply. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Takes a resource until it is released. Returns the exhausted limit; undefined on success. */
  take(counts: ClientCounts, count = 1): Exhausted | undefined {
    if (this.#isClosed) return undefined;
    const exhausted = counts.take(this.#keys, count);
    if (exhausted === undefined) this.#record(counts, count);
    return exhausted;
  }

  /** Takes a resource regardless of the limits. */
  force(counts: ClientCounts, count = 1): void {
    if (this.#isClosed) return;
    counts.force(this.#keys, count);
    this.#record(counts, count);
  }

  release(counts: ClientCounts, count = 1): void {
    if (this.#isClosed) return;
    counts.release(this.#keys, count);
    this.#record(counts, -count);
  }

  /**
   * Counts the socket and everything that it holds against an account from now on. Does nothing if the socket already
   * has an account, or if the account's limits do not suffice for everything that the socket holds.
   * @param subject the claim `sub` of a verified token; empty for anonymous clients
   */
  signIn(subject: string): void {
    if (!this.#isCounted || this.#hasAccount || subject === '') return;
    const keys = clientKeys({ account: subject, address: '' });
    const moved: [ClientCounts, number][] = [];
    for (const [counts, count] of this.#counts) {
      if (!counts.move(this.#keys, keys, count)) {
        for (const [earlier, moving] of moved) earlier.move(keys, this.#keys, moving);
        return;
      }
      moved.push([counts, count]);
    }
    this.#hasAccount = true;
    this.#keys = keys;
  }

  /** Releases everything that is still held. Later calls count nothing. */
  close(): void {
    this.#isClosed = true;
    for (const [counts, count] of this.#counts) counts.release(this.#keys, count);
    this.#counts.clear();
  }

  #record(counts: ClientCounts, count: number): void {
    const total = (this.#counts.get(counts) ?? 0) + count;
    if (total === 0) this.#counts.delete(counts);
    else this.#counts.set(counts, total);
  }
}
