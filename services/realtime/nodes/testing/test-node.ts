/** A node with one topic, which records the received messages. */
import type { BusMessage } from '../../hub/bus.ts';
import { metaJson } from '../../presence/presence.ts';
import { type NodeBus, openNodeBus } from '../bus.ts';
import { DEFAULT_NODE_TIMINGS, type NodeLog, type NodeTimings } from '../log.ts';

/** Short where tests wait for them, but long enough that a node on a busy machine does not count as dead. */
export const QUICK: NodeTimings = {
  ...DEFAULT_NODE_TIMINGS,
  heartbeatMs: 50,
  deadAfterMs: 3000,
  startTimeoutMs: 10_000,
  appendTimeoutMs: 15_000,
  responseTimeoutMs: 1500,
  retryMs: 10,
};

const TOPIC = { name: 'room', isPrivate: false };
let names = 0;

export class TestNode {
  readonly name: string;
  readonly bus: NodeBus;
  /** Payloads of received broadcasts. */
  readonly received: string[] = [];
  /** Keys of the current presences. */
  readonly present: string[] = [];
  /** All presence changes that a member would receive. */
  readonly changes: string[] = [];

  private constructor(name: string, bus: NodeBus) {
    this.name = name;
    this.bus = bus;
    bus.subscribe((message) => this.#take(message));
  }

  /** Opens a node with a new id. */
  static async open(
    openLog: (node: string, timings: NodeTimings) => NodeLog,
    timings: Partial<NodeTimings> = {},
  ): Promise<TestNode> {
    names += 1;
    const node = `node-${names}`;
    const all = { ...QUICK, ...timings };
    const log = openLog(node, all);
    const logger = { info() {}, warn() {} };
    return new TestNode(node, await openNodeBus({ node: node, log, logger, timings: all }));
  }

  broadcast(payload: string): void | Promise<void> {
    const broadcast = { kind: 'text', payload: JSON.stringify(payload) } as const;
    return this.bus.publish({ kind: 'broadcast', topic: TOPIC, broadcast });
  }

  track(key: string): void {
    void this.bus.publish({ kind: 'presence', topic: TOPIC, joins: [presenceOf(key)], leaves: [] });
  }

  untrack(key: string): void {
    void this.bus.publish({ kind: 'presence', topic: TOPIC, joins: [], leaves: [presenceOf(key)] });
  }

  close(): Promise<void> {
    return this.bus.close();
  }

  #take(message: BusMessage): void {
    if (message.kind === 'broadcast') {
      if (message.broadcast.kind === 'text')
        this.received.push(JSON.parse(String(message.broadcast.payload)));
      return;
    }
    for (const { key } of message.leaves) {
      this.changes.push(`-${key}`);
      this.present.splice(this.present.indexOf(key), 1);
    }
    for (const { key } of message.joins) {
      this.changes.push(`+${key}`);
      this.present.push(key);
    }
  }
}

function presenceOf(key: string) {
  return { key, ref: `ref of ${key}`, meta: metaJson({ name: key }, `ref of ${key}`) };
}
