/**
 * What nodes tell each other by: a log that all of them append to and read. Each node numbers what it appends, from 1 on;
 * whoever reads sees by the numbers what came twice (and is left out) and what is missing.
 */

/** What one node has appended at once. */
export interface LogEntry {
  /** Of the node's entries, from 1 on. Numbers may be left out. */
  sequence: number;
  bytes: Buffer;
  /** Whether the node says goodbye by it. */
  isLast: boolean;
}

/** Told what is read. */
export interface LogReader {
  /** Entries of another node: in its order, but for those that come a second time. */
  onEntry(node: string, entry: Pick<LogEntry, 'sequence' | 'bytes'>): void;
  /** Something that this node has appended was read: the log carries. */
  onOwn(): void;
}

/** A log, as one node sees it. */
export interface NodeLog {
  /**
   * Reads from now on, and goes on by itself after connections are lost, where it has stopped. Resolves once everything
   * that is appended is going to be read.
   */
  read(reader: LogReader): Promise<void>;
  /**
   * Appends entries. Resolves once the log has kept them; rejects, before long, where nobody can say whether it has. Then,
   * and where the log may have lost what it had kept, it only takes repeats: the caller comes once more with what it has
   * appended last and what it wants to append, in their order and with their numbers.
   */
  append(entries: readonly LogEntry[], isRepeat: boolean): Promise<void>;
  /** Other nodes that have appended something a short while ago, and have not said goodbye. */
  nodes(): Promise<string[]>;
  close(): Promise<void>;
}

/** How long things take between nodes. All in milliseconds. */
export interface NodeTimings {
  /** Time between two signs of life. */
  beatMs: number;
  /** A node that is silent for longer is taken for dead. */
  deadMs: number;
  /** How long a start waits for the other nodes' presences. */
  helloMs: number;
  /** A message that the log has not kept for so long is given up. */
  keepMs: number;
  /** A server that does not answer for so long is taken for lost, and so is the connection. */
  patienceMs: number;
  /** The pause after an append that has failed. */
  retryMs: number;
  /** How long a log keeps entries. A node that was silent for longer has lost some, and nothing is kept for its sake. */
  memoryMs: number;
  /** What was appended so shortly before the log was lost may be lost with it, and is appended once more. */
  repeatMs: number;
}

/** Those of every node. */
export const DEFAULT_NODE_TIMINGS: NodeTimings = {
  beatMs: 2000,
  deadMs: 6000,
  helloMs: 1000,
  keepMs: 5000,
  patienceMs: 3000,
  retryMs: 100,
  memoryMs: 60_000,
  repeatMs: 2000,
};
