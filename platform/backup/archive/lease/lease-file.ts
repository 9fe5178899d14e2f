/**
 * Files of a lease, `leases/<kind>/<number>.json`. The highest number counts. A takeover creates the next number, which
 * only one process can do; one file could not be replaced like that.
 */
import { z } from 'zod';
import { isArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { decodeChecked, encodeChecked } from '../checked-json.ts';

/** `maintenance`: makes a backup or prunes. `log`: ships the log and new content. */
export type LeaseKind = 'maintenance' | 'log';

const NUMBER_DIGITS = 10;

const recordSchema = z.object({
  /** Id of the instance. */
  holder: z.string(),
  /** Purpose for messages, e.g. `a backup`. */
  purpose: z.string(),
  /** Host name, and identity of the machine, see `machineId`. */
  host: z.string(),
  machine: z.string(),
  pid: z.int(),
  /** Random value of the process that acquired the lease. */
  token: z.string(),
  /** Undefined after the release. */
  until: z.iso.datetime().optional(),
});

/** The content of a file. */
export type LeaseRecord = z.infer<typeof recordSchema>;

/** The newest file of a lease. */
export interface NewestLease {
  /** 0 if the lease was never acquired. */
  number: number;
  /** Undefined if the lease was never acquired, or its file cannot be read. */
  record: LeaseRecord | undefined;
  modified: Date;
}

const folderOf = (kind: LeaseKind) => `leases/${kind}/`;

function nameOf(kind: LeaseKind, number: number): string {
  return `${folderOf(kind)}${String(number).padStart(NUMBER_DIGITS, '0')}.json`;
}

/** Creates the file with this number; returns false if it exists. */
export function createFile(
  store: ArchiveStore,
  kind: LeaseKind,
  number: number,
  record: LeaseRecord,
): Promise<boolean> {
  return store.putIfAbsent(nameOf(kind, number), encodeChecked(record));
}

/** Replaces the file with this number. Only its holder may do that. */
export function replaceFile(
  store: ArchiveStore,
  kind: LeaseKind,
  number: number,
  record: LeaseRecord,
): Promise<void> {
  return store.put(nameOf(kind, number), encodeChecked(record));
}

/** Removes a file that does not count. */
export function removeFile(store: ArchiveStore, kind: LeaseKind, number: number): Promise<void> {
  return store.remove([nameOf(kind, number)]);
}

/** Returns the highest number, and the lower ones. */
export async function listNumbers(
  store: ArchiveStore,
  kind: LeaseKind,
): Promise<{ number: number; modified: Date; lower: number[] }> {
  const pattern = new RegExp(`^${folderOf(kind)}(\\d{${NUMBER_DIGITS}})\\.json$`);
  const found: { number: number; modified: Date }[] = [];
  for await (const batch of store.list(folderOf(kind))) {
    for (const { name, modified } of batch) {
      const [, digits] = pattern.exec(name) ?? [];
      if (digits !== undefined) found.push({ number: Number(digits), modified });
    }
  }
  const [highest = { number: 0, modified: new Date(0) }, ...lower] = found.toSorted(
    (left, right) => right.number - left.number,
  );
  return { ...highest, lower: lower.map(({ number }) => number) };
}

/** Reads the newest file. */
export async function readNewest(store: ArchiveStore, kind: LeaseKind): Promise<NewestLease> {
  const { number, modified } = await listNumbers(store, kind);
  if (number === 0) return { number, modified, record: undefined };
  const name = nameOf(kind, number);
  try {
    const record = decodeChecked(`${name} in ${store.location}`, await store.get(name), recordSchema);
    return { number, modified, record };
  } catch (error) {
    // Removed meanwhile: the next attempt of the caller to create a file finds out.
    if (isArchiveError(error, 'missing') || isArchiveError(error, 'damaged'))
      return { number, modified, record: undefined };
    throw error;
  }
}
