/**
 * Tracks the other nodes: which are alive, and which presences they have. It delivers their messages and the resulting
 * presence changes. Sequence numbers reveal duplicates and missing entries. If an entry is missing, or the number of
 * presences in a heartbeat differs, it requests a snapshot of the node's presences. It does not access the log itself.
 */
import type { BusMessage } from '../hub/bus.ts';
import type { LogEntry, NodeTimings } from './log.ts';
import { isNoChange, PresenceBook } from './presence-book.ts';
import { decodeEntry, type NodeMessage, type PresenceRoom } from './wire.ts';

/** Options of {@link Peers}. */
interface PeersOptions {
  /** Id of this node. */
  node: string;
  timings: Pick<NodeTimings, 'beatMs' | 'deadMs' | 'memoryMs'>;
  /** Delivers a message to the listeners on this node. */
  deliver(message: BusMessage): void;
  /** Requests a snapshot of the presences of another node. */
  ask(node: string): void;
  /** Sends a snapshot of this node's presences to another node. */
  answer(node: string): void;
  /** Called with the error of an entry that cannot be decoded. */
  onMalformed(node: string, error: unknown): void;
  /** Called when a node has appeared, died or left, or when its presences have become complete. */
  onChange(): void;
  now(): number;
}

interface Peer {
  /** Sequence number of the last received entry; undefined if none was received. */
  sequence: number | undefined;
  heardAt: number;
  state: 'alive' | 'dead' | 'left';
  /** Whether `presences` is complete. */
  isKnown: boolean;
  presences: PresenceBook;
  /** The received parts of an unfinished snapshot. */
  parts: PresenceRoom[] | undefined;
  askedAt: number;
}

/** The other nodes. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #peers = new Map<string, Peer>();
  /** Time since which entries have been received without interruption. */
  #hearingSince: number;
  #heardOwnAt: number | undefined;
  #missed = 0;
  #received = 0;

  constructor(options: PeersOptions) {
    this.#options = options;
    this.#hearingSince = options.now();
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
  get isHearing(): boolean {
    const { now, timings } = this.#options;
    return this.#heardOwnAt !== undefined && now() - this.#heardOwnAt <= timings.deadMs;
  }

  /** Whether another node may read the log: a paused node reads later, as long as the log retains the entries. */
  get mayListen(): boolean {
    const { now, timings } = this.#options;
    if (!this.isHearing) return true;
    for (const { state, heardAt } of this.#peers.values()) {
      if (state !== 'left' && now() - heardAt <= timings.memoryMs) return true;
    }
    return false;
  }

  /** Whether the presences of all live nodes are complete. */
  get areKnown(): boolean {
    return [...this.#peers.values()].every(({ state, isKnown }) => state !== 'alive' || isKnown);
  }

  /** Adds nodes that the log lists as live. */
  expect(nodes: readonly string[]): void {
    for (const node of nodes) this.#peerOf(node);
  }

  /** Returns the known presences of all other nodes. */
  rooms(): PresenceRoom[] {
    return [...this.#peers.values()].flatMap(({ presences }) => presences.rooms());
  }

  /** Handles an entry of this node: earlier entries of other nodes have been received by then as well. */
  takeOwn(): void {
    const now = this.#options.now();
    if (!this.#hearsPromptly) this.#hearingSince = now;
    this.#heardOwnAt = now;
  }

  /** Handles an entry of another node. */
  take(node: string, { sequence, bytes }: Pick<LogEntry, 'sequence' | 'bytes'>): void {
    const peer = this.#peerOf(node);
    if (peer.sequence !== undefined && sequence <= peer.sequence) return;
    if (peer.sequence !== undefined && sequence > peer.sequence + 1) {
      this.#missed += sequence - peer.sequence - 1;
      forgetWhatIsKnown(peer);
    }
    peer.sequence = sequence;
    peer.heardAt = this.#options.now();
    if (peer.state === 'dead') {
      peer.state = 'alive';
      this.#options.onChange();
    }
    this.#read(node, peer, bytes);
    if (peer.state === 'alive' && !peer.isKnown) this.#askIfDue(node, peer);
  }

  /** Marks silent nodes as dead and removes expired ones. Must be called at regular intervals. */
  check(): void {
    if (!this.#hearsPromptly) return;
    const { now, timings, onChange } = this.#options;
    for (const [node, peer] of [...this.#peers]) {
      const silentMs = now() - Math.max(peer.heardAt, this.#hearingSince);
      if (peer.state === 'alive' && silentMs > timings.deadMs) {
        peer.state = 'dead';
        this.#forgetPresences(peer);
        onChange();
      } else if (peer.state !== 'alive' && silentMs > timings.memoryMs) {
        this.#peers.delete(node);
      }
    }
  }

  /**
   * If even own entries are late, this node may be paused or disconnected, and the silence of others proves nothing.
   */
  get #hearsPromptly(): boolean {
    const { now, timings } = this.#options;
    return this.#heardOwnAt !== undefined && now() - this.#heardOwnAt <= timings.deadMs / 2;
  }

  #peerOf(node: string): Peer {
    const known = this.#peers.get(node);
    if (known !== undefined) return known;
    const peer: Peer = {
      sequence: undefined,
      heardAt: this.#options.now(),
      state: 'alive',
      isKnown: false,
      presences: new PresenceBook(),
      parts: undefined,
      // The `hello` of this node at its start requests a snapshot of all nodes.
      askedAt: this.#options.now(),
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
      forgetWhatIsKnown(peer);
      this.#options.onMalformed(node, error);
      return;
    }
    this.#received += messages.length;
    for (const message of messages) this.#handle(node, peer, message);
  }

  #handle(node: string, peer: Peer, message: NodeMessage): void {
    const { deliver, answer } = this.#options;
    switch (message.kind) {
      case 'broadcast':
        deliver(message);
        break;
      case 'presence':
        if (peer.isKnown) this.#tell(peer.presences.apply(message));
        break;
      case 'hello':
        answer(node);
        break;
      case 'ask':
        if (message.of === this.#options.node) answer(node);
        break;
      case 'beat':
        if (peer.isKnown && peer.presences.size !== message.presences) forgetWhatIsKnown(peer);
        break;
      case 'snapshot':
        this.#takeSnapshot(peer, message);
        break;
      case 'bye':
        peer.state = 'left';
        this.#forgetPresences(peer);
        this.#options.onChange();
    }
  }

  #takeSnapshot(peer: Peer, { to, isFirst, isLast, rooms }: NodeMessage & { kind: 'snapshot' }): void {
    if (to.length > 0 && !to.includes(this.#options.node) && peer.isKnown) return;
    if (isFirst) peer.parts = [];
    peer.parts?.push(...rooms);
    if (!isLast || peer.parts === undefined) return;
    for (const change of peer.presences.replace(peer.parts)) this.#tell(change);
    peer.parts = undefined;
    peer.isKnown = true;
    this.#options.onChange();
  }

  #forgetPresences(peer: Peer): void {
    for (const change of peer.presences.replace([])) this.#tell(change);
    forgetWhatIsKnown(peer);
  }

  #tell(change: BusMessage & { kind: 'presence' }): void {
    if (!isNoChange(change)) this.#options.deliver(change);
  }

  /**
   * Requests a snapshot, at most once per half a heartbeat interval, because the snapshot may be on its way or lost.
   */
  #askIfDue(node: string, peer: Peer): void {
    const { now, timings, ask } = this.#options;
    if (now() - peer.askedAt < timings.beatMs / 2) return;
    peer.askedAt = now();
    ask(node);
  }
}

/** Marks presences as incomplete. They stay in use until a snapshot replaces them. */
function forgetWhatIsKnown(peer: Peer): void {
  peer.isKnown = false;
  peer.parts = undefined;
}
