/** `instance.json`: who runs on the folder and where, for messages and for `greenroom status`. Holds no secrets. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './write-atomically.ts';

/** The running, or last, instance on a data folder. */
interface InstanceRecord {
  pid: number;
  /** ISO 8601. */
  startedAt: string;
  /** False while it starts, and after a start that failed: `apiUrl` and `databasePort` are the last instance's then. */
  ready: boolean;
  apiUrl?: string;
  /** Port of the embedded PostgreSQL; absent with an external one. */
  databasePort?: number;
}

const NAME = 'instance.json';

/** The record of a folder, or undefined where none was written yet. */
export async function readInstanceRecord(directory: string): Promise<InstanceRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, NAME), 'utf8')) as InstanceRecord;
  } catch {
    return undefined;
  }
}

/** Replaces the record of a folder. */
export function writeInstanceRecord(directory: string, record: InstanceRecord): Promise<void> {
  return writeFileAtomically(join(directory, NAME), `${JSON.stringify(record, null, 2)}\n`);
}
