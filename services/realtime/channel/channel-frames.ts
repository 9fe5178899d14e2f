/** Encodes and sends the frames of one joined channel in the protocol version of its socket. */
import type { ReplayedMessage } from '../authorize/replay.ts';
import { broadcastPayload, encodeReply, encodeText, encodeUserBroadcast } from '../frames/encode.ts';
import { ENCODING, type Encoded, type Version } from '../frames/frame.ts';
import { TOPIC_PREFIX } from '../hub/topic.ts';

/** The socket that frames are sent to. */
export interface FramePort {
  readonly version: Version;
  send(frame: Encoded): void;
}

/** The part of Realtime that a system message is about. */
type SystemExtension = 'system' | 'postgres_changes';

export class ChannelFrames {
  /** The topic with its prefix. */
  readonly topic: string;
  readonly #name: string;
  readonly #port: FramePort;
  readonly #joinRef: string | null;

  /** @param name the topic without its prefix */
  constructor(port: FramePort, name: string, joinRef: string | null) {
    this.topic = TOPIC_PREFIX + name;
    this.#name = name;
    this.#port = port;
    this.#joinRef = joinRef;
  }

  /** Whether a client frame with this join ref belongs to this join and not to an earlier one of the topic. */
  matchesJoin(joinRef: string | null): boolean {
    return joinRef === null || this.#joinRef === null || joinRef === this.#joinRef;
  }

  /** Sends the reply to a push. */
  reply(ref: string | null, status: 'ok' | 'error', response: unknown): void {
    const frame = { joinRef: this.#joinRef, ref, topic: this.topic, status, response };
    this.#port.send(encodeReply(this.#port.version, frame));
  }

  /** Sends a system message, which describes a change in the state of the channel. */
  system(extension: SystemExtension, status: 'ok' | 'error', message: string): void {
    this.#push('system', JSON.stringify({ extension, status, message, channel: this.#name }));
  }

  /** Sends the presences of the topic. @param state JSON of all presences */
  presenceState(state: string): void {
    this.#push('presence_state', state);
  }

  /** Sends a stored message from before the join. Sends nothing if the protocol version cannot represent it. */
  replay({ broadcast }: ReplayedMessage): void {
    if (broadcast.encoding === ENCODING.json) {
      this.#push('broadcast', broadcastPayload(broadcast));
      return;
    }
    const frame = encodeUserBroadcast(this.#port.version, this.topic, broadcast);
    if (frame !== undefined) this.#port.send(frame);
  }

  /** Reports a failure of the channel, after which the client joins again. */
  crashed(): void {
    this.#push('phx_error', '{}', this.#joinRef);
  }

  /** Reports the end of the channel. This is the last frame of a join. */
  closed(): void {
    this.#push('phx_close', '{}', this.#joinRef);
  }

  #push(event: string, payload: string | Buffer, ref: string | null = null): void {
    const frame = { joinRef: this.#joinRef, ref, topic: this.topic, event, payload };
    this.#port.send(encodeText(this.#port.version, frame));
  }
}
