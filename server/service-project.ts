/** The project of an instance, as services see it. */
import { join } from 'node:path';
import { loadDotEnv } from '@greenroom/config';
import { findFunctions, type ProjectToRun } from '@greenroom/project';
import type { ServiceProject } from '@greenroom/service';

/** A project whose configuration may be replaced while the instance runs. */
export interface CurrentProject extends ServiceProject {
  /** Replaces the configuration; the folder stays the same. */
  replace(next: ProjectToRun): void;
}

/** Returns the project with its first configuration. */
export function createServiceProject(initial: ProjectToRun): CurrentProject {
  let current = initial;
  const listeners: (() => void)[] = [];
  const { supabaseFolder } = initial.project;
  return {
    supabaseFolder,
    isInDevelopment: initial.isInDevelopment ?? false,
    functions: () => findFunctions(current.project, current.functions?.declared),
    async functionSecrets() {
      const file = await loadDotEnv(join(supabaseFolder, 'functions', '.env'));
      const values = Object.entries(file).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      return new Map([...(current.functions?.secrets ?? []), ...values]);
    },
    onConfigChange: (listener) => void listeners.push(listener),
    replace(next) {
      current = next;
      for (const listener of listeners) listener();
    },
  };
}
