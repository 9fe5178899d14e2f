/** Changes of the schema by the admin area: checked, recorded in the audit log, and run as a whole. */
import type { MetaStatus, SqlProblem } from '../../../session/meta-client.server.ts';
import { type Admin, type AuditedChange, audited } from './as-admin.server.ts';

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
  | { kind: 'failed'; problem: SqlProblem };

/** PostgreSQL refused the change, which the audit log has to record. */
class ChangeError extends Error {
  override readonly name = 'ChangeError';
  readonly problem: SqlProblem;

  constructor(problem: SqlProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Changes the schema. Rejects with `MetaError`. */
export async function changeSchema(
  admin: Pick<Admin, 'meta' | 'actor'>,
  { sql, entry }: SchemaChange,
): Promise<SchemaChangeOutcome> {
  const { meta } = admin;
  if (meta === undefined) return { kind: 'not-allowed', reason: 'no-database' };
  const { schema_changes: isAllowed, schema_changes_refusal: refusal } = await meta.status();
  if (!isAllowed) return { kind: 'not-allowed', reason: refusal ?? 'setting' };
  try {
    await audited(admin, entry, async () => {
      const { error } = await meta.run(sql, { commit: 'all' });
      if (error) throw new ChangeError(error);
      return undefined;
    });
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof ChangeError) return { kind: 'failed', problem: error.problem };
    throw error;
  }
}
