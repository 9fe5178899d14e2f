/** `greenroom restore --only`: tables and buckets of a backup, under other names in the live instance. */
import { resolve } from 'node:path';
import { shellWord } from '@greenroom/config';
import { printable } from '@greenroom/log/printable';
import {
  nextStatements,
  parseSelections,
  type RestoredPartOfBucket,
  type RestoredTable,
  restoredBucket,
  restoredSchema,
  restorePart,
  type Selection,
} from '@greenroom/server/backup';
import { loadConfig } from '@greenroom/server/settings';
import { hasDatabase, withInstanceUrls } from '../instance-database.ts';
import { withAbortSignal } from '../interruption.ts';
import { printLines, printMessages } from '../print-lines.ts';
import { projectToRun } from '../project.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { type ArchiveOptions, openForReading, withArchivePlace } from './archive-options.ts';
import { planLines, sourceLine } from './plan-lines.ts';
import { readPlan } from './plan-restore.ts';
import { requestedState, type StateOptions } from './requested-state.ts';
import { countText, sizeText } from './sizes.ts';

const INTERRUPTED =
  'interrupted; no table was restored. The same command continues a bucket that has a part of its objects.';

/** Options of {@link runPartRestore}. */
interface PartRestoreOptions extends ArchiveOptions, StateOptions {
  /** Names of tables and buckets. */
  only: readonly string[];
  into: string | undefined;
  isForced: boolean;
  /** Whether only the plan is printed. */
  isDryRun: boolean;
}

/** Restores parts of a backup, and prints the statements that return rows. Returns 1 if objects are missing. */
export async function runPartRestore(options: PartRestoreOptions, project: ProjectOptions): Promise<number> {
  if (options.into !== undefined || options.isForced)
    throw new Error(
      '--only restores into the live instance under other names, so use it without --into and --force.',
    );
  const selections = parseSelections(options.only);
  const settings = await readSettings(project);
  const config = await explained(settings, () => loadConfig(settings.source));
  if (!hasDatabase(config))
    throw new Error('the project has no database yet, so there is no instance to restore a part into.');
  const toRun = projectToRun(settings);
  const requested = requestedState(options);
  return withArchivePlace(options, config, async (place) => {
    const archive = await openForReading(place);
    const plan = await readPlan(archive, requested);
    const time = plan.until.toISOString();
    printLines([
      ...planLines(plan),
      ...selections.map((selection) => `  ${planOf(selection, time)}`),
      sourceLine(archive),
      `  into the instance of ${resolve(config.dataDirectory)}`,
    ]);
    if (options.isDryRun) return 0;
    const restored = await withAbortSignal(INTERRUPTED, (signal) =>
      restorePart({
        archive,
        plan,
        config,
        project: toRun,
        selections,
        time,
        withLiveDatabase: (work) => withInstanceUrls({ config, project: toRun }, work),
        onProgress: (line) => printLines([printable(line)]),
        onMissing: (bucket, key, reason) =>
          printMessages([printable(`${bucket}/${key} was not restored: ${reason}`)]),
        signal,
      }),
    );
    // A name with a line break would begin a line of its own, e.g. a statement.
    const lines = [...restored.buckets.flatMap(bucketLines), ...tablesLines(restored.tables)];
    printLines(lines.map((line) => printable(line)));
    return restored.buckets.some(({ missing }) => missing > 0) ? 1 : 0;
  });
}

function planOf(selection: Selection, time: string): string {
  if (selection.kind === 'table')
    return `table ${selection.schema}.${selection.name} → schema ${restoredSchema(time)}`;
  const { bucket, prefix } = selection;
  const keys = prefix === '' ? '' : `, keys that begin with ${prefix}`;
  return `bucket ${bucket}${keys} → private bucket ${restoredBucket(bucket, time)}`;
}

function bucketLines({ selected, id, count, bytes, existing, missing }: RestoredPartOfBucket): string[] {
  return [
    `restored bucket ${selected.bucket} as ${id}: ${countText(count, 'object')} ${sizeText(bytes)}`,
    ...(existing > 0 ? [`  ${countText(existing, 'object')} had been restored before`] : []),
    ...(missing > 0 ? [`  ${countText(missing, 'object')} could not be restored`] : []),
    `Download the objects: greenroom storage cp -r ${shellWord(`ss:///${id}`)} .`,
    `Remove the bucket: greenroom storage rm -r ${shellWord(`ss:///${id}`)}`,
  ];
}

function tablesLines(tables: readonly RestoredTable[]): string[] {
  if (tables.length === 0) return [];
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  return [
    ...tables.flatMap(({ former, table, rows, converted }) => [
      `restored ${former.quoted} as ${table}: ${countText(rows, 'row')}`,
      ...converted.map(({ column, reason }) => `  column ${column} is text: ${reason}`),
    ]),
    '',
    '-- Return rows that are missing:',
    ...tables.flatMap(nextStatements),
    '-- Remove the restored tables:',
    ...schemas.map((schema) => `drop schema ${schema} cascade;`),
  ];
}
