/** Writes the schema of another database as a migration, or as files of the declared schema. */
import { repairHistory, requireName, requireSameHistory } from '@greenroom/project';
import { isConfirmed } from '../../prompt.ts';
import { readProject } from '../../read-project.ts';
import { compareSchemas } from '../../schema/compare-schemas.ts';
import { exportSchema } from '../../schema/export-schema.ts';
import { note, report } from '../../schema/report.ts';
import { schemasOf } from '../../schema/source.ts';
import type { ProjectOptions } from '../../settings.ts';
import { requiredDatabaseUrl, requireReachable } from '../../target-database.ts';
import { requireEnabledPgDelta, writeMigrations } from './diff.ts';

const INSTEAD = 'To write changes of the own instance as a migration, use: greenroom db diff --file <name>';

/** What to pull, and from where. */
interface PullOptions {
  name: string | undefined;
  databaseUrl: string | undefined;
  schema: readonly string[] | undefined;
  isDeclarative: boolean;
  isConfirmed: boolean;
}

/** Compares the migrations with the database, and records the written migration there after a confirmation. */
export async function pull(values: PullOptions, options: ProjectOptions): Promise<number> {
  const name = requireName(values.name ?? 'remote_schema');
  const schemas = schemasOf(values.schema);
  const url = requiredDatabaseUrl('db pull', values.databaseUrl, INSTEAD);
  await requireReachable(url);
  const configured = await readProject(options);
  if (values.isDeclarative) {
    await exportSchema(configured, {
      source: { kind: 'database', url },
      schemas,
      overwrites: values.isConfirmed,
    });
    return 0;
  }
  requireEnabledPgDelta(configured);
  const { project } = configured.toRun;
  await requireSameHistory(url, project);
  const from = { kind: 'migrations' } as const;
  const changes = await compareSchemas(configured, { from, to: { kind: 'database', url }, schemas });
  if (!report(changes)) return 0;
  const versions = await writeMigrations(configured, { name, changes });
  await recordAfterConfirmation(versions, {
    isYes: values.isConfirmed,
    record: () => repairHistory({ url, project, status: 'applied', versions }),
  });
  return 0;
}

interface Recording {
  /** Whether the user has confirmed on the command line. */
  isYes: boolean;
  record: () => Promise<void>;
}

/** The database has the schema of the new migration already, so a later push must not apply it. */
async function recordAfterConfirmation(
  versions: readonly string[],
  { isYes, record }: Recording,
): Promise<void> {
  const list = versions.join(' ');
  if (isYes || (await isConfirmed(`Record ${list} as applied in the history of the database?`))) {
    await record();
    note(`recorded as applied: ${list}`);
    return;
  }
  note(`not recorded. Record it later: greenroom migration repair --status applied ${list} --db-url <url>`);
}
