/** Changes of the schema by the admin area: checked, recorded in the audit log, and run as a whole. */
import { MetaError, type MetaStatus } from '../../../session/meta-client.server.ts';
import { type Admin, type AuditedChange, audited } from './as-admin.server.ts';

const MAX_FILE_NAME = 60;

/** A change of the schema. */
interface SchemaChange {
  /** Words for the name of its migration file: `create policy`. */
  name: string;
  /** One or more statements: all of them take effect, or none. */
  sql: string;
  entry: AuditedChange;
}

/** The outcome of a change. */
export type SchemaChangeOutcome =
  | { kind: 'done' }
  /** `no-database`: the backend is hosted elsewhere. */
  | { kind: 'not-allowed'; reason: NonNullable<MetaStatus['schema_changes_refusal']> | 'no-database' }
  /** PostgreSQL refused the change, or its migration file could not be written. */
  | { kind: 'failed'; message: string };

/** Changes the schema. Rejects with `MetaError`. */
export async function changeSchema(
  admin: Pick<Admin, 'meta' | 'actor'>,
  { name, sql, entry }: SchemaChange,
): Promise<SchemaChangeOutcome> {
  const { meta } = admin;
  if (meta === undefined) return { kind: 'not-allowed', reason: 'no-database' };
  const { schema_changes: isAllowed, schema_changes_refusal: refusal } = await meta.status();
  if (!isAllowed) return { kind: 'not-allowed', reason: refusal ?? 'setting' };
  try {
    await audited(admin, entry, async () => {
      await meta.migrate({ name: migrationNameOf(name), sql });
      return undefined;
    });
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof MetaError && error.status < 500) return { kind: 'failed', message: error.message };
    throw error;
  }
}

/** Returns the part of the name of a migration file for some words: words with underscores. */
export function migrationNameOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, MAX_FILE_NAME);
}
