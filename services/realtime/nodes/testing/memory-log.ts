/** A log in memory, with troubles at will: for what nodes decide, and not for how logs fail. */
import type { LogEntry, LogReader, NodeLog } from '../log.ts';

/** What several nodes share. */
export class SharedMemory {
  readonly entries: { node: string; entry: LogEntry }[] = [];
  readonly #readers = new Map<string, { reader: LogReader; held: (() => void)[] | undefined }>();
  /** Appends fail while it is. */
  isAway = false;
  /** Appends take until it is called off. */
  held: Promise<void> | undefined;
  /** Entries of which this is true are lost before anybody reads them. */
  loses: (node: string, entry: LogEntry) => boolean = () => false;

  /** The log, for one node. */
  open(node: string): NodeLog {
    return {
      read: async (reader) => {
        this.#readers.set(node, { reader, held: undefined });
      },
      append: async (entries) => {
        await this.held;
        if (this.isAway) throw new Error('away');
        for (const entry of entries) this.#append(node, entry);
      },
      nodes: async () => {
        const gone = new Set(this.entries.filter(({ entry }) => entry.isLast).map((each) => each.node));
        const names = new Set(this.entries.map((each) => each.node));
        return [...names.difference(gone)].filter((name) => name !== node);
      },
      close: async () => {
        this.#readers.delete(node);
      },
    };
  }

  /** The node is no more, without a word. */
  kill(node: string): void {
    this.#readers.delete(node);
  }

  /** The node hears nothing until what is given back is called: then everything. */
  pause(node: string): () => void {
    const paused = this.#readers.get(node);
    if (paused === undefined) throw new Error(`${node} does not read`);
    const held: (() => void)[] = [];
    paused.held = held;
    return () => {
      paused.held = undefined;
      for (const tell of held) tell();
    };
  }

  /** Everybody hears an entry, once more or of nobody. */
  repeat(node: string, entry: LogEntry): void {
    this.#append(node, entry);
  }

  #append(node: string, entry: LogEntry): void {
    this.entries.push({ node, entry });
    if (this.loses(node, entry)) return;
    for (const [name, { reader, held }] of this.#readers) {
      const tell = () => (name === node ? reader.onOwnEntry() : reader.onEntry(node, entry));
      if (held === undefined) setImmediate(tell);
      else held.push(tell);
    }
  }
}
