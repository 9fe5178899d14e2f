/**
 * The command BASE_BACKUP on a connection of pg: two results, the archives as CopyData, one result ("BASE_BACKUP" in
 * PostgreSQL's documentation of the streaming replication protocol, since version 15).
 */
import type pg from 'pg';
import { parseLsn } from './lsn.ts';
import { type TarBlock, TarReader } from './tar-reader.ts';
import type { Lsn } from './wal-message.ts';

/** A position of the log that a backup starts or stops at. */
export interface BackupPosition {
  lsn: Lsn;
  timeline: number;
}

/** Receives the parts of a backup in their order. */
interface BackupReceiver {
  /** The log is needed from this position on. */
  onStart(start: BackupPosition): void;
  /** Estimated number of bytes; undefined if the server does not estimate it. */
  onSize(bytes: number | undefined): void;
  /** @param tablespace OID of the tablespace that the block is in; undefined for the cluster's folder */
  onBlock(block: TarBlock, tablespace: string | undefined): void;
  /** The bytes that the server has read. */
  onProgress(bytes: number): void;
  /** The log is needed up to this position. The command may still fail, e.g. for wrong checksums. */
  onStop(stop: BackupPosition): void;
  /** The command has succeeded. */
  onEnd(): void;
  /** The connection or the command failed, or the server sent invalid data. */
  onError(error: Error): void;
}

const MESSAGE = { archive: 'n', data: 'd', progress: 'p' } as const;
const KILOBYTE = 1024;

/** A query as pg's client runs it, which passes each message of the server to the query. */
export class BaseBackupQuery {
  readonly #command: string;
  readonly #receiver: BackupReceiver;
  readonly #tar: TarReader;
  #tablespace: string | undefined;
  /** Results that are complete. */
  #results = 0;
  #bytes: number | undefined = 0;
  #hasFailed = false;

  constructor(command: string, receiver: BackupReceiver) {
    this.#command = command;
    this.#receiver = receiver;
    this.#tar = new TarReader((block) => receiver.onBlock(block, this.#tablespace));
  }

  submit(connection: { query(text: string): void }): void {
    connection.query(this.#command);
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#guard(() => this.#readRow(fields));
  }

  #readRow(fields: readonly (string | null)[]): void {
    if (this.#results === 1) {
      const [, , kilobytes = null] = fields;
      this.#bytes = kilobytes === null ? undefined : (this.#bytes ?? 0) + Number(kilobytes) * KILOBYTE;
      return;
    }
    const [lsn, timeline] = fields;
    const position = { lsn: parseLsn(String(lsn)), timeline: Number(timeline) };
    if (this.#results === 0) this.#receiver.onStart(position);
    else {
      this.#tar.end();
      this.#receiver.onStop(position);
    }
  }

  handleCommandComplete(): void {
    this.#results += 1;
    if (this.#results === 2) this.#receiver.onSize(this.#bytes);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#guard(() => this.#readCopyData(chunk));
  }

  #readCopyData(chunk: Buffer): void {
    const content = chunk.subarray(1);
    switch (String.fromCharCode(chunk[0] ?? 0)) {
      case MESSAGE.archive:
        this.#tar.restart();
        this.#tablespace = /^(\d+)\.tar$/.exec(readName(content))?.[1];
        break;
      case MESSAGE.data:
        this.#tar.push(content);
        break;
      case MESSAGE.progress:
        this.#receiver.onProgress(Number(content.readBigInt64BE(0)));
    }
  }

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.#receiver.onError(error);
  }

  /** pg calls this only if the command has succeeded. */
  handleReadyForQuery(): void {
    if (!this.#hasFailed) this.#receiver.onEnd();
  }

  /** An error in a handler would be an uncaught exception of the socket. */
  #guard(read: () => void): void {
    if (this.#hasFailed) return;
    try {
      read();
    } catch (error) {
      this.handleError(error as Error);
    }
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

function readName(content: Buffer): string {
  return content.toString('utf8', 0, content.indexOf(0));
}

/** Makes a client run a query that it has no type for. */
export function submit(client: pg.Client, query: BaseBackupQuery): void {
  (client as unknown as { query(query: BaseBackupQuery): void }).query(query);
}
