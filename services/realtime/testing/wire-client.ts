/** A client that sends and receives raw frames. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A received frame of any protocol version. */
export interface WireFrame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any of its fields
  payload: any;
  /** The bytes after the header of a binary frame. */
  bytes?: Buffer;
}

/** How long a test waits for a frame before it fails. */
const TIMEOUT_MS = 30_000;

export class WireClient {
  readonly socket: WebSocket;
  readonly vsn: string;
  /** Received frames that no call has returned yet. */
  readonly frames: WireFrame[] = [];
  /** Code and reason after the socket is closed. */
  closed: { code: number; reason: string } | undefined;
  /** Calls that wait for a frame or for the end of the socket. */
  readonly #waiting = new Set<() => void>();
  #refs = 0;

  constructor(url: string, vsn = '2.0.0', localAddress?: string) {
    this.vsn = vsn;
    this.socket = new WebSocket(url, { ...(localAddress !== undefined && { localAddress }) });
    this.socket.on('message', (data, isBinary) => {
      this.frames.push(readFrame(data as Buffer, isBinary, vsn));
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#wake();
    });
  }

  /** Resolves when the socket is open. */
  async opened(): Promise<this> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open');
    return this;
  }

  /** Sends a push. Returns its ref. */
  push(topic: string, event: string, payload: unknown, joinRef: string | null = null): string {
    this.#refs += 1;
    const ref = String(this.#refs);
    const join = event === 'phx_join' ? ref : joinRef;
    const frame =
      this.vsn === '2.0.0'
        ? [join, ref, topic, event, payload]
        : { topic, event, payload, ref, ...(join === null ? {} : { join_ref: join }) };
    this.socket.send(JSON.stringify(frame));
    return ref;
  }

  /** Sends a binary broadcast. Returns its ref. */
  pushBinary(topic: string, event: string, payload: Buffer, { encoding = 1, meta = '' } = {}): string {
    this.#refs += 1;
    const ref = String(this.#refs);
    const fields = ['', ref, topic, event, meta].map((field) => Buffer.from(field));
    const header = [3, ...fields.map((field) => field.length), encoding];
    this.socket.send(Buffer.concat([Buffer.from(header), ...fields, payload]));
    return ref;
  }

  /** Joins a topic. Resolves with the payload of the reply. */
  async join(topic: string, config: object = {}, more: object = {}) {
    const ref = this.push(topic, 'phx_join', { config, ...more });
    return (await this.next((frame) => frame.event === 'phx_reply' && frame.ref === ref)).payload;
  }

  /** Resolves with the payload of the reply to a push. */
  async reply(ref: string) {
    return (await this.next((frame) => frame.event === 'phx_reply' && frame.ref === ref)).payload;
  }

  /** Removes and returns the first frame with an event, or the first that matches a predicate. Waits for it. */
  async next(expected: string | ((frame: WireFrame) => boolean)): Promise<WireFrame> {
    const fits = typeof expected === 'string' ? (frame: WireFrame) => frame.event === expected : expected;
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const at = this.frames.findIndex(fits);
      const [found] = at === -1 ? [] : this.frames.splice(at, 1);
      if (found !== undefined) return found;
      if (this.closed !== undefined) throw new Error(`closed: ${JSON.stringify(this.closed)}`);
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`no frame matched ${expected}; received ${JSON.stringify(this.frames)}`);
      await this.#changed(left);
    }
  }

  /** Resolves when the server has handled all frames that were sent before. */
  async settled(): Promise<this> {
    await this.reply(this.push('phoenix', 'heartbeat', {}));
    return this;
  }

  /** Resolves when the socket is closed. */
  async waitForClose(): Promise<{ code: number; reason: string }> {
    while (this.closed === undefined) await this.#changed(TIMEOUT_MS);
    return this.closed;
  }

  close(): void {
    this.socket.terminate();
  }

  /** Resolves after the next frame, the end of the socket or the time. */
  #changed(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#waiting.add(end);
    });
  }

  #wake(): void {
    for (const end of [...this.#waiting]) end();
  }
}

function readFrame(data: Buffer, isBinary: boolean, vsn: string): WireFrame {
  if (isBinary) return readBinary(data);
  const json = JSON.parse(String(data));
  if (vsn === '2.0.0') {
    const [joinRef, ref, topic, event, payload] = json;
    return { joinRef, ref, topic, event, payload };
  }
  return { joinRef: null, ...json };
}

/** Decodes a frame of kind 4, whose header has the lengths of topic, event and metadata. */
function readBinary(data: Buffer): WireFrame {
  const lengths = [data[1] ?? 0, data[2] ?? 0, data[3] ?? 0];
  let at = 5;
  const [topic = '', event = '', meta = ''] = lengths.map((length) => {
    at += length;
    return data.subarray(at - length, at).toString();
  });
  const bytes = data.subarray(at);
  const payload = {
    type: 'broadcast',
    event,
    payload: data[4] === 1 ? JSON.parse(String(bytes)) : bytes,
    ...(meta === '' ? {} : { meta: JSON.parse(meta) }),
  };
  return { joinRef: null, ref: null, topic, event: 'broadcast', payload, bytes };
}
