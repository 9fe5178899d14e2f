/** The checks of `greenroom doctor`, and their outcomes. */
import type { InstanceRecord } from '@greenroom/data-folder';
import type { Config } from '@greenroom/server/settings';
import type { Settings } from '../settings.ts';

/** The result of a check. */
export type Outcome =
  | { state: 'ok' | 'skipped'; message: string }
  /** `remedy` says how to mend it. Only a problem is a finding. */
  | { state: 'warning' | 'problem'; message: string; remedy: string };

/** The instance that is checked. */
export interface Subject {
  settings: Settings;
  config: Config;
  /** Absolute path of the data folder. */
  folder: string;
  /** Of the running or last instance. */
  record: InstanceRecord | undefined;
  isRunning: boolean;
}

/** A check. Its name appears in the output. */
export interface Check {
  name: string;
  run: (subject: Subject) => Promise<Outcome[]>;
}

/** The checked part is as it should be. */
export function ok(message: string): Outcome {
  return { state: 'ok', message };
}

/** There is nothing to check. */
export function skipped(message: string): Outcome {
  return { state: 'skipped', message };
}

/** The operator should consider a change. */
export function warning(message: string, remedy: string): Outcome {
  return { state: 'warning', message, remedy };
}

/** The operator should change something. */
export function problem(message: string, remedy: string): Outcome {
  return { state: 'problem', message, remedy };
}
