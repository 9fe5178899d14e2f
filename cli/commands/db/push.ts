/** Applies the migrations of the project to another database. */
import { push as applyPush, type PushPlan, planPush } from '@greenroom/project';
import { requireConfirmation } from '../../prompt.ts';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';
import { requiredDatabaseUrl, requireReachable } from '../../target-database.ts';

const INSTEAD = 'To apply migrations to the own instance, use: greenroom migration up';

/** What to push, and where. */
interface PushOptions {
  databaseUrl: string | undefined;
  isDryRun: boolean;
  includesEarlier: boolean;
  includesRoles: boolean;
  includesSeed: boolean;
  skipsVault: boolean;
  isConfirmed: boolean;
}

/** Shows the files, and applies them after a confirmation. */
export async function push(values: PushOptions, options: ProjectOptions): Promise<number> {
  const url = requiredDatabaseUrl('db push', values.databaseUrl, INSTEAD);
  const { toRun } = await readProject(options);
  await requireReachable(url);
  const selection = {
    url,
    project: toRun.project,
    includesEarlier: values.includesEarlier,
    includesRoles: values.includesRoles,
    seedPaths: values.includesSeed ? (toRun.seedPaths ?? ['./seed.sql']) : [],
  };
  const plan = await planPush(selection);
  const lines = linesOf(plan);
  for (const line of plan.notes) print(line);
  if (lines.length === 0) {
    print('the database is up to date');
    return 0;
  }
  print(values.isDryRun ? 'would apply, in this order:' : 'to apply, in this order:');
  for (const line of lines) print(`  ${line}`);
  if (values.isDryRun) return 0;
  await requireConfirmation('Apply them to the database?', { isConfirmed: values.isConfirmed });
  const secrets = values.skipsVault ? undefined : toRun.secrets;
  const count = await applyPush({ ...selection, secrets, onProgress: print });
  print(`applied ${count} migration${count === 1 ? '' : 's'}`);
  return 0;
}

function linesOf({ rolesFile, migrations, seeds }: PushPlan): string[] {
  return [
    ...(rolesFile === undefined ? [] : ['supabase/roles.sql']),
    ...migrations.map(({ fileName }) => `supabase/migrations/${fileName}`),
    ...seeds.map(({ path }) => path),
  ];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
