/** Frames of database changes: channels of one topic that want the same receive the same bytes. */

import type { ChangeDelivery } from '../feed/feed.ts';
import { encodeText } from './encode.ts';
import type { Encoded, Version } from './frame.ts';

/** For whom a frame is. */
interface ChangeReader {
  version: Version;
  /** With its prefix. */
  topic: string;
  /** The change is its own event, as clients of another age have it. */
  isLegacy: boolean;
}

/** Remembers the frames of the change that was told last: it goes to all of its readers in one go. */
export class ChangeFrames {
  #data = '';
  readonly #frames = new Map<string, Encoded>();

  /** The frame of a change for a reader. */
  of({ ids, data }: ChangeDelivery, reader: ChangeReader): Encoded {
    if (data !== this.#data) {
      this.#data = data;
      this.#frames.clear();
    }
    const { version, topic, isLegacy } = reader;
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
