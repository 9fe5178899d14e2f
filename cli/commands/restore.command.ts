import {
  IDENTITY_OPTION,
  NO_ENCRYPTION_OPTION,
  PASSPHRASE_OPTION,
  WHERE_ARGUMENT,
} from '../backup/secret-options.ts';
import { defineCommand } from '../definition.ts';

/** `greenroom restore`. */
export const restore = defineCommand({
  path: ['restore'],
  summary: 'Restore a state of an archive, and start the instance with it',
  description:
    'Without --to-time, --backup and --name, the newest state is restored. Existing data is never overwritten.',
  isServer: true,
  arguments: [WHERE_ARGUMENT],
  options: {
    'to-time': {
      value: 'time',
      summary: 'The state of this time, with its zone, e.g. 2026-11-27T12:00:00Z',
    },
    latest: { summary: 'The newest state that the archive has; the default' },
    backup: { value: 'id', summary: 'The state of the backup with this id' },
    name: { value: 'name', summary: 'The state of the backup with this name' },
    into: { value: 'folder', summary: 'The data folder; default: that of the project' },
    force: { summary: 'Keep an existing data folder under another name, and take its place' },
    'no-start': { summary: 'Do not start the instance' },
    only: {
      value: 'what',
      isRepeatable: true,
      summary: 'A table or bucket:<name>, into the live instance under another name',
    },
    'dry-run': { summary: 'Print what would be restored, its size, and how long it takes' },
    'passphrase-file': PASSPHRASE_OPTION,
    'identity-file': IDENTITY_OPTION,
    'no-encryption': NO_ENCRYPTION_OPTION,
  },
  examples: [
    { line: 'restore /backups --passphrase-file passphrase.txt', summary: 'Restore the newest state' },
    { line: 'restore /backups --to-time 2026-11-27T12:00:00Z', summary: 'Restore the state of a time' },
    { line: 'restore /backups --only public.todos', summary: 'Restore one table next to the live one' },
  ],
  async run({ options, operands: [where], project }) {
    // A restore continues without the reader of its output.
    process.stdout.on('error', () => undefined);
    const { 'to-time': toTime, latest: isLatest, backup, name } = options;
    const { into, force: isForced, 'dry-run': isDryRun, 'no-start': isStartOmitted } = options;
    const { 'passphrase-file': passphraseFile, 'identity-file': identityFile } = options;
    const secrets = { passphraseFile, identityFile, noEncryption: options['no-encryption'] };
    const state = { toTime, isLatest, backup, name };
    if (options.only !== undefined) {
      const { runPartRestore } = await import('../backup/restore-part.ts');
      const { only } = options;
      return runPartRestore({ where, ...secrets, ...state, only, into, isForced, isDryRun }, project);
    }
    const { runRestore } = await import('../backup/run-restore.ts');
    const startsInstance = !isStartOmitted;
    const { isProjectRestored } = await runRestore(
      { where, ...secrets, ...state, into, isForced, isDryRun, startsInstance },
      project,
    );
    if (!isProjectRestored || isStartOmitted) return 0;
    const { startInstance } = await import('./start-instance.ts');
    const start = { services: undefined, domains: undefined, detach: false, usesCliKeys: undefined };
    return startInstance(start, project);
  },
});
