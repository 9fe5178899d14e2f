/** A log in memory with controllable failures, for tests of the decisions of nodes. */
import type { LogEntry, LogReader, NodeLog } from '../log.ts';

/** The memory that several nodes share. */
export class SharedMemory {
  readonly entries: { node: string; entry: LogEntry }[] = [];
  readonly #readers = new Map<string, { reader: LogReader; missed: (() => void)[] | undefined }>();
  /** Appends fail while this is true. */
  isUnavailable = false;
  /** Appends wait for this promise. */
  appendBarrier: Promise<void> | undefined;
  /** Decides which entries are lost before other nodes read them. */
  isLost: (node: string, entry: LogEntry) => boolean = () => false;

  /** Opens the log for one node. */
  open(node: string): NodeLog {
    return {
      read: async (reader) => {
        this.#readers.set(node, { reader, missed: undefined });
      },
      append: async (entries) => {
        await this.appendBarrier;
        if (this.isUnavailable) throw new Error('away');
        for (const entry of entries) this.#append(node, entry);
      },
      nodes: async () => {
        const closed = new Set(this.entries.filter(({ entry }) => entry.isLast).map((each) => each.node));
        const names = new Set(this.entries.map((each) => each.node));
        return [...names.difference(closed)].filter((name) => name !== node);
      },
      close: async () => {
        this.#readers.delete(node);
      },
    };
  }

  /** Removes a node without a goodbye. */
  kill(node: string): void {
    this.#readers.delete(node);
  }

  /** Pauses a node. The returned function delivers the entries that it has missed. */
  pause(node: string): () => void {
    const paused = this.#readers.get(node);
    if (paused === undefined) throw new Error(`${node} does not read`);
    const missed: (() => void)[] = [];
    paused.missed = missed;
    return () => {
      paused.missed = undefined;
      for (const deliver of missed) deliver();
    };
  }

  /** Delivers an entry to all nodes, either a duplicate or an invented one. */
  repeat(node: string, entry: LogEntry): void {
    this.#append(node, entry);
  }

  #append(node: string, entry: LogEntry): void {
    this.entries.push({ node, entry });
    if (this.isLost(node, entry)) return;
    for (const [name, { reader, missed }] of this.#readers) {
      const deliver = () => (name === node ? reader.onOwnEntry() : reader.onEntry(node, entry));
      if (missed === undefined) setImmediate(deliver);
      else missed.push(deliver);
    }
  }
}
