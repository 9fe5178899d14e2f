/** A client that sends and sees frames as they are on the wire. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A frame as it came, whichever protocol it was in. */
export interface WireFrame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as they like
  payload: any;
  /** Of binary frames: everything after the header. */
  bytes?: Buffer;
}

/** How long a test waits for what never comes. */
const PATIENCE_MS = 30_000;

/** One socket. */
export class WireClient {
  readonly socket: WebSocket;
  readonly vsn: string;
  /** Everything that has come, and was not asked for yet. */
  readonly frames: WireFrame[] = [];
  /** Code and reason, once it is closed. */
  closed: { code: number; reason: string } | undefined;
  #wake = () => {};
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

  /** Resolves when it is open. */
  async opened(): Promise<this> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open');
    return this;
  }

  /** Sends a push, and gives its ref. */
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

  /** Sends a broadcast in binary. */
  pushBinary(topic: string, event: string, payload: Buffer, { encoding = 1, meta = '' } = {}): string {
    this.#refs += 1;
    const ref = String(this.#refs);
    const fields = ['', ref, topic, event, meta].map((field) => Buffer.from(field));
    const header = [3, ...fields.map((field) => field.length), encoding];
    this.socket.send(Buffer.concat([Buffer.from(header), ...fields, payload]));
    return ref;
  }

  /** Joins, and gives the reply's payload. */
  async join(topic: string, config: object = {}, more: object = {}) {
    const ref = this.push(topic, 'phx_join', { config, ...more });
    return (await this.next((frame) => frame.event === 'phx_reply' && frame.ref === ref)).payload;
  }

  /** The reply to a push. */
  async reply(ref: string) {
    return (await this.next((frame) => frame.event === 'phx_reply' && frame.ref === ref)).payload;
  }

  /** The first frame of an event, or the first that fits; it is taken away. */
  async next(wanted: string | ((frame: WireFrame) => boolean)): Promise<WireFrame> {
    const fits = typeof wanted === 'string' ? (frame: WireFrame) => frame.event === wanted : wanted;
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const at = this.frames.findIndex(fits);
      const [found] = at === -1 ? [] : this.frames.splice(at, 1);
      if (found !== undefined) return found;
      if (this.closed !== undefined) throw new Error(`closed: ${JSON.stringify(this.closed)}`);
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`nothing came of ${wanted}; there is ${JSON.stringify(this.frames)}`);
      await this.#changed(left);
    }
  }

  /** Resolves when the server has handled everything that was sent before. */
  async settled(): Promise<this> {
    await this.reply(this.push('phoenix', 'heartbeat', {}));
    return this;
  }

  /** Resolves when the socket is closed. */
  async untilClosed(): Promise<{ code: number; reason: string }> {
    while (this.closed === undefined) await this.#changed(PATIENCE_MS);
    return this.closed;
  }

  close(): void {
    this.socket.terminate();
  }

  #changed(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
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

/** Kind 4: topic, event and metadata have their lengths in the header. */
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
