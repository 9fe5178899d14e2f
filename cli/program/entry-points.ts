/** The entry points of the bundled program. */
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '..');

/** Paths of the sources by the names of their files in the bundle. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  /** The command line. */
  main: join(CLI, 'bundled-main.ts'),
  /** The process of an instance for tests. */
  'test-instance': join(CLI, 'test-instance', 'process', 'bundled-main.ts'),
  /** A process that creates or verifies a backup of a running instance. */
  'backup-maintenance': join(CLI, '..', 'server', 'backup', 'agent', 'maintenance-process.ts'),
};
