/** `greenroom restore`: a state of an archive becomes the data folder of an instance. */
import { resolve } from 'node:path';
import type { Archive, ContentTarget, RecoveryProgress, RestorePlan } from '@greenroom/backup';
import { shellWord } from '@greenroom/config';
import { printable } from '@greenroom/log/printable';
import { checkedText, restoreInto } from '@greenroom/server/backup';
import type { Config } from '@greenroom/server/settings';
import { openContentStore } from '@greenroom/storage/content-store';
import { withAbortSignal } from '../interruption.ts';
import { printLines } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';
import { type ArchiveOptions, openForReading, withArchivePlace } from './archive-options.ts';
import { type BackedUpInstance, readBackedUpInstance } from './backed-up-instance.ts';
import { planLines, sourceLine, stateText } from './plan-lines.ts';
import { readPlan } from './plan-restore.ts';
import { requestedState, type StateOptions } from './requested-state.ts';
import { restorePlace } from './restore-place.ts';
import { estimateLines, requireSpace } from './restore-size.ts';
import { placeText, requireDatabaseFor } from './restored-database.ts';
import { countText, secondText, sizeText } from './sizes.ts';

const REPORT_MS = 5000;

/** Options of {@link runRestore}. */
interface RestoreOptions extends ArchiveOptions, StateOptions {
  /** The data folder. Default: that of the project. */
  into: string | undefined;
  /** Whether an existing data folder is moved aside. */
  isForced: boolean;
  /** Whether only the plan is printed. */
  isDryRun: boolean;
  /** Whether the caller starts a restored instance of the project. */
  startsInstance: boolean;
}

/** Result of {@link runRestore}. */
interface RestoreResult {
  /** Whether the data folder of the project was restored. */
  isProjectRestored: boolean;
}

/** Restores a state next to the data folder, checks it, and moves it to its place. */
export async function runRestore(options: RestoreOptions, project: ProjectOptions): Promise<RestoreResult> {
  const requested = requestedState(options);
  const instance = await readBackedUpInstance(project);
  const { config } = instance;
  return withArchivePlace(options, config, async (place) => {
    const archive = await openForReading(place);
    const plan = await readPlan(archive, requested);
    requireDatabaseFor(plan.manifest, config);
    const folder = resolve(options.into ?? instance.dataFolder);
    printLines([...planLines(plan), sourceLine(archive), `  to ${placeText(folder, config)}`]);
    const target = await restorePlace(folder, options);
    const restore = { plan, folder, config };
    if (options.isDryRun) {
      printLines(await estimateLines(archive, restore));
      return { isProjectRestored: false };
    }
    await requireSpace(restore);
    const isProjectRestored = folder === instance.dataFolder;
    const lines = await restoreTo(folder, { archive, plan, instance, target });
    // A copy must not back itself up into the archive of the original.
    const environment = `GREENROOM_DATA_DIR=${shellWord(folder)} GREENROOM_BACKUP_CONTINUOUS=false`;
    const start = isProjectRestored ? 'greenroom start' : `${environment} greenroom start`;
    printLines([
      ...lines,
      ...(isProjectRestored && options.startsInstance ? [] : [`Start the instance: ${start}`]),
    ]);
    return { isProjectRestored };
  });
}

/** A restore that begins. */
interface Restore {
  archive: Archive;
  plan: RestorePlan;
  instance: BackedUpInstance;
  target: Awaited<ReturnType<typeof restorePlace>>;
}

/** Returns lines about the result. */
async function restoreTo(folder: string, { archive, plan, instance, target }: Restore): Promise<string[]> {
  const { config, project } = instance;
  const { partial } = target;
  const restored = await withAbortSignal('interrupted; nothing was changed.', (signal) =>
    restoreInto({
      archive,
      plan,
      folder: partial,
      config,
      project,
      openTarget: openStoreOf,
      onProgress: (line) => printLines([printable(line)]),
      onRecovery: createRecoveryReport(),
      signal,
    }),
  );
  const { objects, checked, problems } = restored;
  if (problems.length > 0)
    throw new Error(
      `the restored database in ${partial} is damaged, so it does not replace ${folder}:\n${problems.map((text) => printable(text)).join('\n')}`,
    );
  const aside = await target.complete();
  return [
    `restored ${placeText(folder, config)}: ${countText(objects.count, 'object')} ${sizeText(objects.bytes)}${checked.indexes === 0 ? '' : `; checked: ${checkedText(checked)}`}`,
    `  ${stateText(plan)}`,
    ...changedLines(objects, plan),
    ...(aside === undefined
      ? []
      : [`the former data is in ${aside}; remove it when you do not need it any more`]),
  ];
}

/** Prints a line every few seconds. */
function createRecoveryReport(): (progress: RecoveryProgress) => void {
  let printedAt = performance.now();
  return ({ bytes, total, lastCommit }) => {
    if (performance.now() - printedAt < REPORT_MS) return;
    printedAt = performance.now();
    const commit = lastCommit === undefined ? '' : `, commits until ${secondText(lastCommit)}`;
    printLines([`  recovery: ${sizeText(bytes)} of at most ${sizeText(total)} of the log${commit}`]);
  };
}

function changedLines(
  { replaced, removed, kept }: { replaced: number; removed: number; kept: number },
  { target }: RestorePlan,
): string[] {
  const line = (text: string, count: number) =>
    count === 0 ? [] : [`${text}: ${countText(count, 'object')}`];
  const removal =
    target.kind === 'own'
      ? 'deleted during the backup, so left out'
      : 'left out, because the archive does not have their content';
  return [
    ...line('changed during the backup, so restored with newer content', replaced),
    ...line(removal, removed),
    ...line('without content, because the project keeps their rows', kept),
  ];
}

async function openStoreOf(
  config: Config,
  folder: string,
): Promise<ContentTarget & { close(): Promise<void> }> {
  const store = await openContentStore(config.storage, folder);
  return {
    has: (entry) => store.has(entry),
    write: (entry, content) => store.write(entry, content, contentTypeOf(entry.metadata)),
    close: () => store.close(),
  };
}

function contentTypeOf(metadata: unknown): string {
  const { mimetype } = (metadata ?? {}) as { mimetype?: unknown };
  return typeof mimetype === 'string' ? mimetype : 'application/octet-stream';
}
