/**
 * `instance.json`: the process that uses the folder and its address, for messages and for `greenroom status`. Contains
 * no secrets.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './write-atomically.ts';

/** The running, or last, instance on a data folder. */
interface InstanceRecord {
  pid: number;
  /** ISO 8601. */
  startedAt: string;
  /**
   * False during a start, and after a start that failed; then `apiUrl` and `databasePort` are those of the last
   * instance.
   */
  ready: boolean;
  apiUrl?: string;
  /** Port of the embedded PostgreSQL; absent with an external one. */
  databasePort?: number;
}

const NAME = 'instance.json';

/** Returns the record of a folder; undefined if none exists yet. */
export async function readInstanceRecord(directory: string): Promise<InstanceRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, NAME), 'utf8')) as InstanceRecord;
  } catch {
    return undefined;
  }
}

export function writeInstanceRecord(directory: string, record: InstanceRecord): Promise<void> {
  return writeFileAtomically(join(directory, NAME), `${JSON.stringify(record, null, 2)}\n`);
}
