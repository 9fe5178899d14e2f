/**
 * The other nodes, as far as this one has heard of them: who is alive, who has which presences, and what of it members
 * here have to be told. Numbers of entries say what has come twice and what is missing; where something is missing, or a
 * sign of life does not fit, the node is asked for all its presences. Not in charge of reading or writing the log.
 */
import type { BusMessage } from '../hub/bus.ts';
import type { LogEntry, NodeTimings } from './log.ts';
import { isNoChange, PresenceBook } from './presence-book.ts';
import { decodeEntry, type NodeMessage, type PresenceRoom } from './wire.ts';

/** Options of {@link Peers}. */
interface PeersOptions {
  /** This node. */
  node: string;
  timings: Pick<NodeTimings, 'beatMs' | 'deadMs' | 'memoryMs'>;
  /** Takes what members on this node have to be told. */
  deliver(message: BusMessage): void;
  /** Asks another node for its presences. */
  ask(node: string): void;
  /** Tells another node the presences of this one. */
  answer(node: string): void;
  /** Told of entries that cannot be read. */
  onMalformed(node: string, error: unknown): void;
  /** Told that somebody is there, has died or has left, or that it is known now who is present there. */
  onChange(): void;
  now(): number;
}

interface Peer {
  /** The last entry. Undefined: none has come. */
  sequence: number | undefined;
  heardAt: number;
  state: 'alive' | 'dead' | 'left';
  /** Whether the presences are all that it has. */
  isKnown: boolean;
  presences: PresenceBook;
  /** What has come of a snapshot. */
  parts: PresenceRoom[] | undefined;
  askedAt: number;
}

/** The other nodes. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #peers = new Map<string, Peer>();
  /** Since when everything that nodes say is heard without a break. */
  #hearingSince: number;
  #heardOwnAt: number | undefined;
  #missed = 0;
  #received = 0;

  constructor(options: PeersOptions) {
    this.#options = options;
    this.#hearingSince = options.now();
  }

  /** How many are alive. */
  get alive(): number {
    return [...this.#peers.values()].filter(({ state }) => state === 'alive').length;
  }

  /** How many messages of others have come. */
  get received(): number {
    return this.#received;
  }

  /** How many entries of others have not come. */
  get missed(): number {
    return this.#missed;
  }

  /** Whether what this node appends is read a short while later, and so what others append. */
  get isHearing(): boolean {
    const { now, timings } = this.#options;
    return this.#heardOwnAt !== undefined && now() - this.#heardOwnAt <= timings.deadMs;
  }

  /** Whether there may be somebody who reads: paused ones find what was said meanwhile, for as long as the log has it. */
  get mayListen(): boolean {
    const { now, timings } = this.#options;
    if (!this.isHearing) return true;
    for (const { state, heardAt } of this.#peers.values()) {
      if (state !== 'left' && now() - heardAt <= timings.memoryMs) return true;
    }
    return false;
  }

  /** Whether it is known of everybody who is alive who is present there. */
  get areKnown(): boolean {
    return [...this.#peers.values()].every(({ state, isKnown }) => state !== 'alive' || isKnown);
  }

  /** These are said to be there. They have been greeted. */
  expect(nodes: readonly string[]): void {
    for (const node of nodes) this.#peerOf(node);
  }

  /** The presences of all others, as far as they are known. */
  rooms(): PresenceRoom[] {
    return [...this.#peers.values()].flatMap(({ presences }) => presences.rooms());
  }

  /** An entry of this node was read: what others have appended before it has come, too. */
  takeOwn(): void {
    const now = this.#options.now();
    if (!this.#hearsPromptly) this.#hearingSince = now;
    this.#heardOwnAt = now;
  }

  /** An entry of another node. */
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

  /** Looks who has been silent for too long. To be called every now and then. */
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

  /** While our own signs of life are late, the silence of others says nothing: it may be we who were paused or cut off. */
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
      // Whoever begins to read greets everybody, which asks them.
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

  /** An answer takes a moment, and may get lost as well. */
  #askIfDue(node: string, peer: Peer): void {
    const { now, timings, ask } = this.#options;
    if (now() - peer.askedAt < timings.beatMs / 2) return;
    peer.askedAt = now();
    ask(node);
  }
}

/** Presences stay as they are until there is something better. */
function forgetWhatIsKnown(peer: Peer): void {
  peer.isKnown = false;
  peer.parts = undefined;
}
