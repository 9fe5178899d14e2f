/**
 * The contract of the log that carries messages between nodes: all nodes append to it and read it. Each node numbers
 * its entries from 1. Readers use the numbers to skip duplicates and to detect missing entries.
 */

/** An entry of one node. */
export interface LogEntry {
  /** Number within the entries of the node, from 1. Numbers may be skipped. */
  sequence: number;
  bytes: Buffer;
  /** Whether it is the last entry of the node, which contains a `bye`. */
  isLast: boolean;
}

/** Callbacks for entries that are read. */
export interface LogReader {
  /** Called for an entry of another node. Entries of a node come in order, except for duplicates. */
  onEntry(node: string, entry: Pick<LogEntry, 'sequence' | 'bytes'>): void;
  /** Called when an entry of this node is read, which proves that the log works. */
  onOwnEntry(): void;
}

/** The log from the viewpoint of one node. */
export interface NodeLog {
  /**
   * Starts to read new entries, and resumes automatically after connections are lost. Resolves when every entry
   * appended from then on will be read.
   */
  read(reader: LogReader): Promise<void>;
  /**
   * Appends entries. Resolves when the log has stored them, and rejects after a timeout if the outcome is unknown.
   * After a rejection, and if the log may have lost stored entries, it accepts only repeats: `entries` must then
   * contain the last appended entries and the new ones, in order and with their numbers.
   */
  append(entries: readonly LogEntry[], isRepeat: boolean): Promise<void>;
  /** Resolves with the other nodes that have appended an entry recently and no `bye`. */
  nodes(): Promise<string[]>;
  close(): Promise<void>;
}

/** Timeouts and intervals of the communication between nodes, in milliseconds. */
export interface NodeTimings {
  /** Interval of heartbeats. */
  heartbeatMs: number;
  /** A node without entries for longer than this counts as dead. */
  deadAfterMs: number;
  /** How long the start waits for the presences of other nodes. */
  startTimeoutMs: number;
  /** A message that the log has not stored within this time is dropped. */
  appendTimeoutMs: number;
  /** A connection counts as lost if the server does not respond within this time. */
  responseTimeoutMs: number;
  /** Pause after a failed append. */
  retryMs: number;
  /** Retention of entries in the log. A node that does not read for longer misses entries. */
  retentionMs: number;
  /** Entries appended within this time before the loss of the log may be lost as well, and are appended again. */
  repeatWindowMs: number;
}

/** The values that all nodes use in production. */
export const DEFAULT_NODE_TIMINGS: NodeTimings = {
  heartbeatMs: 2000,
  deadAfterMs: 6000,
  startTimeoutMs: 1000,
  appendTimeoutMs: 5000,
  responseTimeoutMs: 3000,
  retryMs: 100,
  retentionMs: 60_000,
  repeatWindowMs: 2000,
};
