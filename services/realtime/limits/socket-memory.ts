/**
 * Bytes that one socket makes the process hold: of a frame that has not arrived whole or waits to be read, and of messages
 * that its client has not read. Small amounts count as none, since every socket has them for a moment.
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

  /** Sets the bytes of frames that are not handled yet. Returns false where the client may not hold so many. */
  setIncoming(bytes: number): boolean {
    const counted = bytes < SMALL_BYTES ? 0 : bytes;
    if (!this.#change(counted - this.#incoming)) return false;
    this.#incoming = counted;
    return true;
  }

  /** Sets the bytes of messages that are not sent yet. Returns false where the client may not hold so many. */
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
