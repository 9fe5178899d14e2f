/** `POST /pg/migrations`: changes the schema, with a migration file if a project is open. */
import { dirname } from 'node:path';
import { MigrationFailed, MigrationRefused, runMigration } from '@greenroom/project';
import type { Refusal } from '../access/schema-changes.ts';
import { failure } from '../errors.ts';
import { applicationNameOf } from '../run/application-name.ts';
import type { MigrationRequest } from './migration-request.ts';

/** Runs a migration. Rejects with an error of the catalogue. */
export type Migrate = (request: MigrationRequest) => Promise<MigrationOutcome>;

interface MigrationOutcome {
  /** Null without a project. */
  version: string | null;
  /** Path of the file, relative to the folder of the project; null without one. */
  path: string | null;
  notices: readonly { severity: string; message: string }[];
}

/** Options of {@link createMigrate}. */
interface MigrateOptions {
  ownerUrl: string;
  /** Absolute path of `supabase/`; undefined without a project. */
  supabaseFolder: string | undefined;
  findRefusal(): Promise<Refusal | undefined>;
}

const CODES = {
  statement: 'statement_not_possible',
  name: 'invalid_request',
  busy: 'project_busy',
  'out-of-step': 'project_out_of_step',
  file: 'project_out_of_step',
  guard: 'definition_changed',
} as const satisfies Record<MigrationRefused['reason'], Parameters<typeof failure>[0]>;

/** Creates the function that runs migrations, one at a time. */
export function createMigrate({ ownerUrl, supabaseFolder, findRefusal }: MigrateOptions): Migrate {
  const project =
    supabaseFolder === undefined ? undefined : { folder: dirname(supabaseFolder), supabaseFolder };
  return async ({ id, name, sql, guard, timeout_ms: timeoutMs }) => {
    const refusal = await findRefusal();
    if (refusal !== undefined) throw failure('schema_changes_not_allowed', { extra: { refusal } });
    try {
      return await runMigration({
        url: ownerUrl,
        ...(id !== undefined && { applicationName: applicationNameOf(id) }),
        project,
        name,
        sql,
        guard,
        timeoutMs,
        now: new Date(),
      });
    } catch (error) {
      throw translate(error);
    }
  };
}

function translate(error: unknown): unknown {
  if (error instanceof MigrationRefused) {
    const { reason, message, found } = error;
    return failure(CODES[reason], { message, ...(found !== undefined && { extra: { found } }) });
  }
  if (error instanceof MigrationFailed) {
    const { message, statement, offset } = error;
    const { code, detail, hint, where } = error.cause;
    return failure('sql_error', {
      message,
      extra: {
        code,
        statement,
        offset,
        ...(detail && { detail }),
        ...(hint && { hint }),
        ...(where && { where }),
      },
    });
  }
  return error;
}
