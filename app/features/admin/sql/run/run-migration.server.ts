/** Runs changes of the schema as the other screens do: only where they are allowed, and with a migration file if a project is open. */
import { mayChangeSchema } from '@greenroom/project/sql/schema-change';
import { SqlTextError, splitStatements } from '@greenroom/project/sql/split';
import { MetaError, type RunResult } from '../../../../session/meta-client.server.ts';
import { migrationNameOf } from '../../shared/change-schema.server.ts';
import type { RunForm } from './run-form.ts';
import type { SqlAdmin } from './sql-admin.server.ts';

/** The first words of a statement. */
type Words = readonly string[];

/** A migration that ran, or the error of its first failed statement. */
interface MigrationRun {
  result: RunResult;
  /** Path of the file, relative to the folder of the project; null if a statement failed. */
  migration: string | null;
}

/** Returns the first words of the first statement that may change the schema; undefined for other runs. */
export function schemaChangeOf({ sql, mode, isReadOnly }: RunForm): Words | undefined {
  if (isReadOnly || mode !== 'run') return undefined;
  try {
    return splitStatements(sql).find(mayChangeSchema)?.words;
  } catch (error) {
    // The run reports the error.
    if (error instanceof SqlTextError) return undefined;
    throw error;
  }
}

/**
 * Returns whether the run is a migration. Statements of other roles are none: a migration runs as the owner of the database. Rejects with
 * `MetaError` if schemas cannot be changed.
 */
export async function requireSchemaChanges({ meta }: SqlAdmin, form: RunForm): Promise<boolean> {
  const {
    schema_changes: isAllowed,
    schema_changes_refusal: reason,
    writes_migrations,
  } = await meta.status();
  if (!isAllowed) throw new MetaError(403, `refused_${reason ?? 'setting'}`, '');
  return writes_migrations && form.writesMigration && form.role === 'postgres';
}

/** Runs the SQL as one migration, which has no results of statements. Rejects with `MetaError` if it cannot be one. */
export async function runMigration({ meta }: SqlAdmin, form: RunForm, change: Words): Promise<MigrationRun> {
  const { id, sql, timeoutMs } = form;
  const startedAt = performance.now();
  const outcome = (part: Partial<RunResult>): RunResult => ({
    results: [],
    notices: [],
    error: null,
    is_committed: false,
    duration_ms: performance.now() - startedAt,
    ...part,
  });
  try {
    const { path, notices } = await meta.migrate({ id, name: nameOf(change), sql, timeoutMs });
    return {
      result: outcome({ notices, is_committed: true }),
      migration: path,
    };
  } catch (error) {
    if (!(error instanceof MetaError)) throw error;
    const { code, message, fields } = error;
    // Only errors of a statement have its index.
    if (typeof fields.statement !== 'number') throw error;
    const { statement, offset = null, ...details } = fields as Problem;
    return { result: outcome({ error: { ...details, code, message, statement, offset } }), migration: null };
  }
}

type Problem = Omit<NonNullable<RunResult['error']>, 'code' | 'message'>;

/** Words of statements that say nothing about the object. */
const FILLERS = ['or', 'replace', 'if', 'not', 'exists'];
/** `create table notes`: a further word is that of a column. */
const MAX_WORDS = 3;

function nameOf(words: Words): string {
  const said = words.filter((word) => !FILLERS.includes(word)).slice(0, MAX_WORDS);
  return migrationNameOf(said.join(' ')) || 'sql';
}
