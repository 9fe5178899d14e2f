/**
 * Tracks the other nodes: which are alive, and which presences they have. It delivers their messages and the resulting
 * presence changes. Sequence numbers reveal duplicates and missing entries. If an entry is missing, or the number of
 * presences in a heartbeat differs, it requests a snapshot of the node's presences. It does not access the log itself.
 */
import type { BusMessage } from '../hub/bus.ts';
import type { LogEntry, NodeTimings } from './log.ts';
import { isEmptyChange, NodePresences } from './node-presences.ts';
import { decodeEntry, type NodeMessage, type TopicPresences } from './wire.ts';

/** Options of {@link Peers}. */
interface PeersOptions {
  /** Id of this node. */
  node: string;
  timings: Pick<NodeTimings, 'heartbeatMs' | 'deadAfterMs' | 'retentionMs'>;
  /** Delivers a message to the listeners on this node. */
  deliver(message: BusMessage): void;
  /** Requests a snapshot of the presences of another node. */
  requestSnapshot(node: string): void;
  /** Sends a snapshot of this node's presences to another node. */
  sendSnapshot(node: string): void;
  /** Called with the error of an entry that cannot be decoded. */
  onMalformed(node: string, error: unknown): void;
  /** Called when a node has appeared, died or left, or when its presences have become complete. */
  onChange(): void;
  now(): number;
}

interface Peer {
  /** Sequence number of the last received entry; undefined if none was received. */
  sequence: number | undefined;
  lastReceivedAt: number;
  state: 'alive' | 'dead' | 'left';
  /** Whether `presences` is complete. */
  isComplete: boolean;
  presences: NodePresences;
  /** The received parts of an unfinished snapshot. */
  parts: TopicPresences[] | undefined;
  requestedAt: number;
}

/** The other nodes. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #peers = new Map<string, Peer>();
  /** Time since which entries have been received without interruption. */
  #receivingSince: number;
  #lastOwnReceivedAt: number | undefined;
  #missed = 0;
  #received = 0;

  constructor(options: PeersOptions) {
    this.#options = options;
    this.#receivingSince = options.now();
  }

  /** Number of live nodes, without this one. */
  get alive(): number {
    return [...this.#peers.values()].filter(({ state }) => state === 'alive').length;
  }

  /** Number of received messages of other nodes. */
  get received(): number {
    return this.#received;
  }

  /** Number of missing entries of other nodes. */
  get missed(): number {
    return this.#missed;
  }

  /** Whether this node reads its own entries in time, and therefore those of other nodes as well. */
  get isReceiving(): boolean {
    const { now, timings } = this.#options;
    return this.#lastOwnReceivedAt !== undefined && now() - this.#lastOwnReceivedAt <= timings.deadAfterMs;
  }

  /** Whether another node may read the log: a paused node reads later, as long as the log retains the entries. */
  get mayHaveReaders(): boolean {
    const { now, timings } = this.#options;
    if (!this.isReceiving) return true;
    for (const { state, lastReceivedAt } of this.#peers.values()) {
      if (state !== 'left' && now() - lastReceivedAt <= timings.retentionMs) return true;
    }
    return false;
  }

  /** Whether the presences of all live nodes are complete. */
  get areComplete(): boolean {
    return [...this.#peers.values()].every(({ state, isComplete }) => state !== 'alive' || isComplete);
  }

  /** Adds nodes that the log lists as live. */
  addExpected(nodes: readonly string[]): void {
    for (const node of nodes) this.#peerOf(node);
  }

  /** Returns the known presences of all other nodes. */
  presences(): TopicPresences[] {
    return [...this.#peers.values()].flatMap(({ presences }) => presences.byTopic());
  }

  /** Handles an entry of this node: earlier entries of other nodes have been received by then as well. */
  receiveOwn(): void {
    const now = this.#options.now();
    if (!this.#isReceivingPromptly) this.#receivingSince = now;
    this.#lastOwnReceivedAt = now;
  }

  /** Handles an entry of another node. */
  receive(node: string, { sequence, bytes }: Pick<LogEntry, 'sequence' | 'bytes'>): void {
    const peer = this.#peerOf(node);
    if (peer.sequence !== undefined && sequence <= peer.sequence) return;
    if (peer.sequence !== undefined && sequence > peer.sequence + 1) {
      this.#missed += sequence - peer.sequence - 1;
      markIncomplete(peer);
    }
    peer.sequence = sequence;
    peer.lastReceivedAt = this.#options.now();
    if (peer.state === 'dead') {
      peer.state = 'alive';
      this.#options.onChange();
    }
    this.#read(node, peer, bytes);
    if (peer.state === 'alive' && !peer.isComplete) this.#requestSnapshotIfDue(node, peer);
  }

  /** Marks silent nodes as dead and removes expired ones. Must be called at regular intervals. */
  checkLiveness(): void {
    if (!this.#isReceivingPromptly) return;
    const { now, timings, onChange } = this.#options;
    for (const [node, peer] of [...this.#peers]) {
      const silentMs = now() - Math.max(peer.lastReceivedAt, this.#receivingSince);
      if (peer.state === 'alive' && silentMs > timings.deadAfterMs) {
        peer.state = 'dead';
        this.#removePresences(peer);
        onChange();
      } else if (peer.state !== 'alive' && silentMs > timings.retentionMs) {
        this.#peers.delete(node);
      }
    }
  }

  /**
   * If even own entries are late, this node may be paused or disconnected, and the silence of others proves nothing.
   */
  get #isReceivingPromptly(): boolean {
    const { now, timings } = this.#options;
    return (
      this.#lastOwnReceivedAt !== undefined && now() - this.#lastOwnReceivedAt <= timings.deadAfterMs / 2
    );
  }

  #peerOf(node: string): Peer {
    const known = this.#peers.get(node);
    if (known !== undefined) return known;
    const peer: Peer = {
      sequence: undefined,
      lastReceivedAt: this.#options.now(),
      state: 'alive',
      isComplete: false,
      presences: new NodePresences(),
      parts: undefined,
      // The `hello` of this node at its start requests a snapshot of all nodes.
      requestedAt: this.#options.now(),
    };
    this.#peers.set(node, peer);
    this.#options.onChange();
    return peer;
  }

  #read(node: string, peer: Peer, bytes: Buffer): void {
    let messages: NodeMessage[];
    try {
      messages = decodeEntry(bytes);
    } catch (error) {
      markIncomplete(peer);
      this.#options.onMalformed(node, error);
      return;
    }
    this.#received += messages.length;
    for (const message of messages) this.#handle(node, peer, message);
  }

  #handle(node: string, peer: Peer, message: NodeMessage): void {
    const { deliver, sendSnapshot } = this.#options;
    switch (message.kind) {
      case 'broadcast':
        deliver(message);
        break;
      case 'presence':
        if (peer.isComplete) this.#deliverChange(peer.presences.apply(message));
        break;
      case 'hello':
        sendSnapshot(node);
        break;
      case 'ask':
        if (message.of === this.#options.node) sendSnapshot(node);
        break;
      case 'beat':
        if (peer.isComplete && peer.presences.size !== message.presences) markIncomplete(peer);
        break;
      case 'snapshot':
        this.#takeSnapshot(peer, message);
        break;
      case 'bye':
        peer.state = 'left';
        this.#removePresences(peer);
        this.#options.onChange();
    }
  }

  #takeSnapshot(peer: Peer, { to, isFirst, isLast, rooms }: NodeMessage & { kind: 'snapshot' }): void {
    if (to.length > 0 && !to.includes(this.#options.node) && peer.isComplete) return;
    if (isFirst) peer.parts = [];
    peer.parts?.push(...rooms);
    if (!isLast || peer.parts === undefined) return;
    for (const change of peer.presences.replace(peer.parts)) this.#deliverChange(change);
    peer.parts = undefined;
    peer.isComplete = true;
    this.#options.onChange();
  }

  #removePresences(peer: Peer): void {
    for (const change of peer.presences.replace([])) this.#deliverChange(change);
    markIncomplete(peer);
  }

  #deliverChange(change: BusMessage & { kind: 'presence' }): void {
    if (!isEmptyChange(change)) this.#options.deliver(change);
  }

  /**
   * Requests a snapshot, at most once per half a heartbeat interval, because the snapshot may be on its way or lost.
   */
  #requestSnapshotIfDue(node: string, peer: Peer): void {
    const { now, timings, requestSnapshot } = this.#options;
    if (now() - peer.requestedAt < timings.heartbeatMs / 2) return;
    peer.requestedAt = now();
    requestSnapshot(node);
  }
}

/** Marks presences as incomplete. They stay in use until a snapshot replaces them. */
function markIncomplete(peer: Peer): void {
  peer.isComplete = false;
  peer.parts = undefined;
}
