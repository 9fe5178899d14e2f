/**
 * Counts the bytes that one socket occupies in the process: incomplete and queued frames, and messages that the client
 * has not read. Small amounts count as zero, because every socket has them briefly.
 */

import type { SocketClient } from './client.ts';
import type { ClientCounts } from './client-counts.ts';

const SMALL_BYTES = 65_536;

/** Counts the bytes of one socket against its client. */
export class SocketMemory {
  readonly #client: SocketClient;
  readonly #counts: ClientCounts;
  #incoming = 0;
  #outgoing = 0;

  constructor(client: SocketClient) {
    this.#client = client;
    this.#counts = client.limits.bufferedBytes;
  }

  /** Sets the bytes of frames that are not handled yet. Returns false and changes nothing above the client's limit. */
  setIncoming(bytes: number): boolean {
    const counted = bytes < SMALL_BYTES ? 0 : bytes;
    if (!this.#change(counted - this.#incoming)) return false;
    this.#incoming = counted;
    return true;
  }

  /** Sets the bytes of messages that are not sent yet. Returns false and changes nothing above the client's limit. */
  setOutgoing(bytes: number): boolean {
    const counted = bytes < SMALL_BYTES ? 0 : bytes;
    if (!this.#change(counted - this.#outgoing)) return false;
    this.#outgoing = counted;
    return true;
  }

  #change(bytes: number): boolean {
    if (bytes > 0) return this.#client.take(this.#counts, bytes) === undefined;
    if (bytes < 0) this.#client.release(this.#counts, -bytes);
    return true;
  }
}
