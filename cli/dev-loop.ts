/** Follows the files of a project while `greenroom dev` runs: applies new migrations and reloads settings. */
import { isAbsolute, join, sep } from 'node:path';
import { CONFIG_FILES } from '@greenroom/product';
import {
  type Project,
  type ProjectChange,
  type ProjectToRun,
  type ProjectWatch,
  setUpProject,
  watchProject,
} from '@greenroom/project';
import { projectToRun } from './project.ts';
import type { Reloader } from './reload-settings.ts';
import type { Settings } from './settings.ts';

/** Options of {@link startDevLoop}. */
interface DevLoopOptions {
  project: Project;
  /** Connection URL of the owner of the database. */
  databaseUrl: string;
  reloader: Reloader;
  onProgress: (line: string) => void;
}

/** Returns the project like `projectToRun`; migrations that are still being written are left for later. */
export function projectInDevelopment(settings: Settings): ProjectToRun | undefined {
  const toRun = projectToRun(settings);
  return toRun && { ...toRun, waitsForContent: true, isInDevelopment: true };
}

/** Starts to follow the files. Errors are printed, and the instance stays up. Closing it waits for a running migration. */
export function startDevLoop(options: DevLoopOptions): Promise<ProjectWatch> {
  const { project, reloader } = options;
  const findings = createFindings(options.onProgress);
  return watchProject(project, {
    settingFiles: () => filesOfSettings(reloader.settings(), project),
    async onChange(change) {
      if (change.settings) await reloader.reload();
      if (change.migrations.length > 0) await applyMigrations(options, change, findings);
    },
  });
}

async function applyMigrations(
  { databaseUrl: url, reloader, onProgress }: DevLoopOptions,
  { migrations }: ProjectChange,
  findings: Findings,
): Promise<void> {
  const toRun = projectInDevelopment(reloader.settings());
  if (toRun === undefined) return;
  const found = findings.begin(migrations);
  try {
    await setUpProject({ ...toRun, url, onProgress, onFinding: found.add });
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`);
  }
  found.end();
}

/** Lines about files, which are printed again only when one of their files has changed. */
interface Findings {
  begin(changedFiles: readonly string[]): { add(line: string): void; end(): void };
}

function createFindings(onProgress: (line: string) => void): Findings {
  let known: ReadonlySet<string> = new Set();
  return {
    begin(changedFiles) {
      const found = new Set<string>();
      return {
        add(line) {
          found.add(line);
          const isAboutChange = changedFiles.some((name) => line.includes(name));
          if (!known.has(line) || isAboutChange) onProgress(line);
        },
        end() {
          known = found;
        },
      };
    },
  };
}

/** Returns greenroom.config.ts, and the files in the folder of the project that settings name, e.g. templates of mails. */
function filesOfSettings({ values }: Settings, { folder }: Project): string[] {
  const texts = Array.from(values.values(), ({ text }) => text);
  const named = texts.filter((text) => isAbsolute(text) && text.startsWith(folder + sep));
  return [...named, ...CONFIG_FILES.map((name) => join(folder, name))];
}
