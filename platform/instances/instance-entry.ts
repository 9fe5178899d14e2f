/** A running instance in the registry. Contains no secrets. */
export interface InstanceEntry {
  /** Absolute path of the data folder, which identifies the instance. */
  dataFolder: string;
  /** Undefined if the instance runs without a project. */
  project?: { name: string; folder: string };
  pid: number;
  /** ISO 8601. */
  startedAt: string;
  /** Whether it accepts requests. */
  isReady: boolean;
  /** Address that it listens on, e.g. `127.0.0.1` or `0.0.0.0`. */
  host: string;
  /** Whether the API speaks HTTPS. */
  isTls?: boolean;
  /** Port of the API, from the moment that it was chosen; absent with a Unix socket. */
  port?: number;
  /** Port of the embedded PostgreSQL, from the moment that it was chosen. */
  databasePort?: number;
  /** Ports of the local mailbox on the loopback, from the moment that they were chosen. */
  mailboxPorts?: readonly number[];
}

/** Reads the text of an entry; undefined for a text that no version has written. */
export function parseEntry(text: string): InstanceEntry | undefined {
  try {
    const entry = JSON.parse(text) as InstanceEntry;
    return typeof entry.dataFolder === 'string' && typeof entry.pid === 'number' ? entry : undefined;
  } catch {
    return undefined;
  }
}
