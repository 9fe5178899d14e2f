/** Runs all checks. */
import { resolve } from 'node:path';
import { ConfigError } from '@greenroom/config';
import { FolderInUseError, readInstanceRecord, requireFreeFolder } from '@greenroom/data-folder';
import { loadConfig } from '@greenroom/server/settings';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { type Check, type Outcome, problem, type Subject } from './check.ts';
import { FOLDER_CHECKS } from './data-folder.ts';
import { ENGINE_CHECKS } from './engines.ts';
import { MACHINE_CHECKS } from './machine.ts';
import { NETWORK_CHECKS } from './network.ts';
import { ACCESS_CHECKS } from './production/access.ts';
import { ACCOUNT_CHECKS } from './production/accounts.ts';
import { BACKUP_CHECKS } from './production/backups.ts';
import { OPERATION_CHECKS } from './production/operation.ts';
import { PROJECT_CHECKS } from './project.ts';

/** All checks, in the order of the output. */
const CHECKS: readonly Check[] = [
  ...MACHINE_CHECKS,
  ...PROJECT_CHECKS,
  ...FOLDER_CHECKS,
  ...NETWORK_CHECKS,
  ...ENGINE_CHECKS,
];

/** The further checks of an instance that users of the internet reach. */
const PRODUCTION_CHECKS: readonly Check[] = [
  ...ACCESS_CHECKS,
  ...ACCOUNT_CHECKS,
  ...BACKUP_CHECKS,
  ...OPERATION_CHECKS,
];

/** The outcome of a check. */
export type Result = Outcome & { check: string };

/**
 * Returns the outcomes of all checks. Wrong settings are the only outcomes then, because the other checks need them.
 * @param isProduction whether to run the checks for production, too
 */
export async function examine(options: ProjectOptions, isProduction: boolean): Promise<Result[]> {
  const subject = await readSubject(options).catch((error: unknown) => error);
  if (subject instanceof ConfigError)
    return subject.message.split('\n').map((message) => ({
      check: 'configuration',
      ...problem(message, 'Change the value; docs/reference/configuration.md lists what is allowed.'),
    }));
  if (subject instanceof Error) throw subject;
  const checks = isProduction ? [...CHECKS, ...PRODUCTION_CHECKS] : CHECKS;
  const results = await Promise.all(checks.map((check) => outcomesOf(check, subject as Subject)));
  return results.flat();
}

async function readSubject(options: ProjectOptions): Promise<Subject> {
  const settings = await readSettings(options);
  const config = await explained(settings, () => loadConfig(settings.source));
  const folder = resolve(config.dataDirectory);
  const record = await readInstanceRecord(folder);
  const isInUse = await requireFreeFolder(folder).then(
    () => false,
    (error: unknown) => error instanceof FolderInUseError,
  );
  return { settings, config, folder, record, isRunning: isInUse && record?.ready === true };
}

async function outcomesOf({ name, run }: Check, subject: Subject): Promise<Result[]> {
  const outcomes = await run(subject).catch((error: Error) => [
    problem(`the check failed: ${error.message}`, 'Run it again with --debug, and report the error.'),
  ]);
  return outcomes.map((outcome) => ({ check: name, ...outcome }));
}
