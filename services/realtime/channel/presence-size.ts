/** Counts the size of a channel's presence payload against the limits of its client and of its topic. */
import type { Context } from '../context.ts';
import type { Topic } from '../hub/topic.ts';
import type { SocketClient } from '../limits/client.ts';

/** The reservation of one channel, initially 0 bytes. */
export class PresenceSize {
  readonly #context: Context;
  readonly #client: SocketClient;
  readonly #topic: Topic;
  #bytes = 0;

  constructor(context: Context, client: SocketClient, topic: Topic) {
    this.#context = context;
    this.#client = client;
    this.#topic = topic;
  }

  /** Changes the reserved size. Returns false and keeps the previous size if a limit is reached. */
  reserve(bytes: number): boolean {
    const { config, hub, limits } = this.#context;
    const more = bytes - this.#bytes;
    if (more > 0) {
      const state = hub.presenceSizeOf(this.#topic);
      const isFull = state.bytes + more > config.maxTopicPresenceBytes;
      // A full topic still accepts payloads up to the average size, so that large payloads do not block small ones.
      if (isFull && bytes > config.maxTopicPresenceBytes / (state.count + 1)) return false;
      if (this.#client.take(limits.presenceBytes, more) !== undefined) return false;
    } else this.#client.release(limits.presenceBytes, -more);
    this.#bytes = bytes;
    return true;
  }
}
