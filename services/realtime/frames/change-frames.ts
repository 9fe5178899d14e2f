/** Encodes database changes: equal subscriptions of one topic share the encoded frame. */

import type { ChangeDelivery } from '../feed/feed.ts';
import { encodeText } from './encode.ts';
import type { Encoded, Version } from './frame.ts';

/** The properties of a receiver that its frames depend on. */
interface FrameReceiver {
  version: Version;
  /** The topic with its prefix. */
  topic: string;
  /** Whether the client uses the old protocol, in which the operation is the event of the frame. */
  isLegacy: boolean;
}

/** Caches the frames of the last change only, because each change is delivered to all receivers in succession. */
export class ChangeFrames {
  #data = '';
  readonly #frames = new Map<string, Encoded>();

  /** Returns the frame of a change for a receiver. */
  of({ ids, data }: ChangeDelivery, receiver: FrameReceiver): Encoded {
    if (data !== this.#data) {
      this.#data = data;
      this.#frames.clear();
    }
    const { version, topic, isLegacy } = receiver;
    const key = `${version} ${isLegacy} ${ids.join()} ${topic}`;
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const frame = encodeText(version, {
      joinRef: null,
      ref: null,
      topic,
      event: isLegacy ? eventOf(data) : 'postgres_changes',
      payload: isLegacy ? data : `{"ids":${JSON.stringify(ids)},"data":${data}}`,
    });
    this.#frames.set(key, frame);
    return frame;
  }
}

function eventOf(data: string): string {
  return String((JSON.parse(data) as { type?: unknown }).type);
}
