/**
 * Reports changes of the files of a project that a running instance uses: migrations, config.toml, env files, and the
 * files that settings name.
 *
 * Events only trigger a comparison of the files with their last state. So an editor that writes by renaming, a folder that
 * is created later or replaced, and events that are lost or reported twice make no difference. File systems without events,
 * e.g. of some containers, are compared periodically.
 */
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Project } from './find-project.ts';

/** Files that are written in several steps are compared once. */
const DEBOUNCE_MS = 150;
const COMPARE_MS = 2000;
const SETTINGS_FILE = /^(?:config\.toml|\.env(?:\..+)?)$/;

/** Changes since the last call. At least one of both is true or not empty. */
export interface ProjectChange {
  /** Names of the files in `supabase/migrations` that were created, changed or removed. */
  migrations: readonly string[];
  /** Whether config.toml, an env file, or a file that a setting names has changed. */
  settings: boolean;
}

/** Options of {@link watchProject}. */
interface WatchOptions {
  /** Returns the absolute paths of the files that settings name. */
  settingFiles?: () => readonly string[];
  /** Changes during a call are reported by the next one, after its promise has settled. Must not reject. */
  onChange(change: ProjectChange): Promise<void>;
  /** Whether events of the file system are used. Default: true. */
  usesEvents?: boolean;
  compareMs?: number;
}

/** Identities of files by their absolute paths; missing files are absent. */
type FileStates = ReadonlyMap<string, string>;

/** A running watch. */
export interface ProjectWatch {
  /** Stops; resolves when the last call of `onChange` has ended. */
  close(): Promise<void>;
}

/** Starts to watch; resolves when changes from now on are reported. */
export async function watchProject(project: Project, options: WatchOptions): Promise<ProjectWatch> {
  const { settingFiles = () => [], onChange, usesEvents = true, compareMs = COMPARE_MS } = options;
  const folders = new WatchedFolders(schedule);
  let states: FileStates = new Map();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let running = Promise.resolve();

  /** Folders are watched before the files are read, so that no change is between both. */
  async function read(): Promise<FileStates> {
    const named = settingFiles();
    if (usesEvents) await folders.watch([...foldersOf(project), ...named.map(dirname)]);
    return readStates(project, named);
  }

  async function compare(): Promise<void> {
    const next = await read();
    const change = changeBetween(states, next, project);
    states = next;
    if (change.settings || change.migrations.length > 0) await onChange(change);
  }

  function schedule(): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(compare);
    }, DEBOUNCE_MS);
  }

  states = await read();
  const interval = setInterval(() => {
    running = running.then(compare);
  }, compareMs);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(interval);
      folders.close();
      await running;
      // A comparison that was running may have watched folders again.
      folders.close();
    },
  };
}

function foldersOf({ folder, supabaseFolder }: Project): string[] {
  return [folder, supabaseFolder, join(supabaseFolder, 'migrations')];
}

/** The event sources of some folders. */
class WatchedFolders {
  readonly #onEvent: () => void;
  readonly #watchers = new Map<string, { watcher: FSWatcher; inode: number }>();

  constructor(onEvent: () => void) {
    this.#onEvent = onEvent;
  }

  /** Watches these folders, as far as they exist. A folder that was replaced is watched again. */
  async watch(paths: readonly string[]): Promise<void> {
    for (const path of new Set([...paths, ...this.#watchers.keys()])) {
      const inode = paths.includes(path) ? await inodeOf(path) : undefined;
      const former = this.#watchers.get(path);
      if (former?.inode === inode) continue;
      former?.watcher.close();
      this.#watchers.delete(path);
      if (inode !== undefined) this.#open(path, inode);
    }
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Without a watcher, e.g. because the system has no more of them, periodic comparisons find the changes. */
  #open(path: string, inode: number): void {
    try {
      const watcher = watch(path, this.#onEvent);
      watcher.on('error', () => this.#watchers.delete(path));
      this.#watchers.set(path, { watcher, inode });
    } catch {
      // The next periodic comparison tries again.
    }
  }
}

async function inodeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.ino;
}

async function readStates(
  { folder, supabaseFolder }: Project,
  named: readonly string[],
): Promise<FileStates> {
  const migrations = join(supabaseFolder, 'migrations');
  const paths = await Promise.all([
    filesIn(folder, (name) => name.startsWith('.env') && SETTINGS_FILE.test(name)),
    filesIn(supabaseFolder, (name) => SETTINGS_FILE.test(name)),
    filesIn(migrations, (name) => name.endsWith('.sql') && !name.startsWith('.')),
  ]);
  const states = await Promise.all(
    [...paths.flat(), ...named].map(async (path) => [path, await stateOf(path)]),
  );
  return new Map(states.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function filesIn(folder: string, isRelevant: (name: string) => boolean): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter(isRelevant).map((name) => join(folder, name));
}

async function stateOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && [found.ino, found.size, found.mtimeNs].join(' ');
}

function changeBetween(former: FileStates, next: FileStates, { supabaseFolder }: Project): ProjectChange {
  const paths = [...new Set([...former.keys(), ...next.keys()])];
  const changed = paths.filter((path) => former.get(path) !== next.get(path));
  const folder = join(supabaseFolder, 'migrations');
  const [migrations, others] = [true, false].map((isMigration) =>
    changed.filter((path) => (dirname(path) === folder) === isMigration),
  );
  return {
    migrations: (migrations ?? []).map((path) => basename(path)),
    settings: (others ?? []).length > 0,
  };
}
