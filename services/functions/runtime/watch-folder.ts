/** Reports changes of files. */
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';

/** An editor writes a file in several steps. */
const DEBOUNCE_MS = 60;

/** A running watch. */
interface FolderWatch {
  close(): void;
}

/** Calls `onChange` after changes of files with these names in a folder. A folder that does not exist is not watched. */
export function watchFiles(folder: string, names: readonly string[], onChange: () => void): FolderWatch {
  let timer: NodeJS.Timeout | undefined;
  const watcher = tryWatch(folder, {}, (name) => {
    if (name !== null && !names.includes(name)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, DEBOUNCE_MS);
  });
  // The folder was removed.
  watcher?.on('error', () => watcher.close());
  return {
    close() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/**
 * Calls `onChange` after changes in a folder and its subfolders. A folder that does not exist yet is watched from the moment it
 * exists.
 */
export function watchFolder(folder: string, onChange: () => void): FolderWatch {
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function schedule(): void {
    clearTimeout(timer);
    timer = setTimeout(onChange, DEBOUNCE_MS);
  }

  function open(): void {
    if (isClosed) return;
    watcher?.close();
    watcher = tryWatch(folder, { recursive: true }, schedule) ?? tryWatch(dirname(folder), {}, reopen);
    watcher?.on('error', reopen);
  }

  function reopen(): void {
    open();
    schedule();
  }

  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

function tryWatch(
  path: string,
  options: { recursive?: boolean },
  onEvent: (name: string | null) => void,
): FSWatcher | undefined {
  try {
    return watch(path, options, (_event, name) => onEvent(name));
  } catch {
    return undefined;
  }
}
