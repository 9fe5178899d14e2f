/**
 * Leases of an archive. A lease lasts five minutes and is renewed while its process lives; it ends with the process, or
 * when it expires. Clocks of machines that share an archive may differ by a minute.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import {
  createFile,
  type LeaseKind,
  type LeaseRecord,
  listNumbers,
  type NewestLease,
  readNewest,
  removeFile,
  replaceFile,
} from './lease-file.ts';
import { isProcessAlive, machineId } from './machine.ts';

const DURATION_MS = 5 * 60_000;
const RENEWAL_MS = 60_000;
/** Difference of clocks that is allowed for. */
const SKEW_MS = 60_000;
const MAX_ATTEMPTS = 5;
/** Tokens of the leases that this process holds: a process id can be that of an ended process. */
const ownTokens = new Set<string>();

/** A lease that this process holds. */
export interface Lease {
  /** Aborts when the lease is lost; the work under the lease must end then. */
  readonly lost: AbortSignal;
  /** Extends the lease. Rejects with kind `busy` if another process has it, or it has expired. */
  renew(): Promise<void>;
  /** Ends the lease, unless it is lost. */
  release(): Promise<void>;
}

/** The process that acquires a lease. */
export interface LeaseOptions {
  /** Id of the instance. */
  holder: string;
  /** Purpose for messages, e.g. `a backup`. */
  purpose: string;
  /** The clock. */
  now?: () => number;
  /** Time between renewals. */
  renewalMs?: number;
}

/** Acquires a lease. Rejects with kind `busy` if another process holds it. */
export async function acquireLease(
  store: ArchiveStore,
  kind: LeaseKind,
  options: LeaseOptions,
): Promise<Lease> {
  // A file belongs to one process until it is complete.
  if (store.kind === 'file')
    return { lost: new AbortController().signal, renew: async () => {}, release: async () => {} };
  const { now = Date.now, renewalMs = RENEWAL_MS, holder, purpose } = options;
  const machine = machineId();
  const record = { holder, purpose, host: hostname(), machine, pid: process.pid, token: randomUUID() };
  // Before the file exists, because another call of this process may read it at once.
  ownTokens.add(record.token);
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const newest = await readNewest(store, kind);
      requireFree(store, newest, holder, now());
      const number = newest.number + 1;
      const held = await tryCreate(store, kind, number, { ...record, until: untilOf(now()) });
      if (held) return keepLease({ store, kind, number, record, now, renewalMs });
    }
    throw new ArchiveError(
      'busy',
      `several processes try to use ${store.location} at the same time: try again`,
    );
  } catch (error) {
    ownTokens.delete(record.token);
    throw error;
  }
}

function untilOf(now: number): string {
  return new Date(now + DURATION_MS).toISOString();
}

function requireFree(
  store: ArchiveStore,
  { number, record, modified }: NewestLease,
  holder: string,
  now: number,
): void {
  if (number === 0) return;
  // A file that cannot be read is respected for as long as a lease may last.
  const until = record === undefined ? modified.getTime() + DURATION_MS : Date.parse(record.until ?? '') || 0;
  if (until + SKEW_MS <= now || (record !== undefined && isOver(record, holder))) return;
  const user = record === undefined ? 'another process' : `${record.purpose} of ${record.holder}`;
  const limit = new Date(until + SKEW_MS).toISOString();
  throw new ArchiveError(
    'busy',
    `${store.location} is in use by ${user}: wait until it ends. If its process was killed on another machine, the archive is free at ${limit}.`,
  );
}

/**
 * Whether the process of a lease has ended. Of another boot or container with the same host name, an instance is the one
 * before; a copy of it on another host is not.
 */
function isOver(record: LeaseRecord, holder: string): boolean {
  if (record.until === undefined) return true;
  if (ownTokens.has(record.token)) return false;
  if (record.machine !== machineId()) return record.host === hostname() && record.holder === holder;
  return record.pid === process.pid || !isProcessAlive(record.pid);
}

/** Creates a file. It counts only if no higher one exists: the caller may have read an old state. */
async function tryCreate(
  store: ArchiveStore,
  kind: LeaseKind,
  number: number,
  record: LeaseRecord,
): Promise<boolean> {
  if (!(await createFile(store, kind, number, record))) return false;
  const newest = await listNumbers(store, kind);
  if (newest.number !== number) {
    await removeFile(store, kind, number);
    return false;
  }
  for (const lower of newest.lower) await removeFile(store, kind, lower);
  return true;
}

/** Values of a held lease. */
interface HeldLease {
  store: ArchiveStore;
  kind: LeaseKind;
  number: number;
  record: LeaseRecord;
  now: () => number;
  renewalMs: number;
}

/** Renews a lease until it is released or lost. */
function keepLease({ store, kind, number, record, now, renewalMs }: HeldLease): Lease {
  const lost = new AbortController();
  let expiry = now() + DURATION_MS;
  let timer: NodeJS.Timeout | undefined;

  function lose(): never {
    clearInterval(timer);
    ownTokens.delete(record.token);
    const message = `the lease of ${record.purpose} on ${store.location} is lost: another process may have changed the archive`;
    const error = new ArchiveError('busy', message);
    lost.abort(error);
    throw error;
  }

  async function renew(): Promise<void> {
    if (lost.signal.aborted || now() >= expiry) lose();
    const next = now() + DURATION_MS;
    await replaceFile(store, kind, number, { ...record, until: new Date(next).toISOString() });
    // A takeover before this write counts.
    const newest = await listNumbers(store, kind);
    if (newest.number !== number) lose();
    expiry = next;
  }

  /** A place that is away is tried again, until the lease expires. */
  const tick = () => void renew().catch(() => {});
  timer = setInterval(tick, renewalMs).unref();

  return {
    lost: lost.signal,
    renew,
    async release() {
      clearInterval(timer);
      ownTokens.delete(record.token);
      if (lost.signal.aborted || now() >= expiry) return;
      await replaceFile(store, kind, number, record);
    },
  };
}
