/**
 * Syncs folders so that new names in them are durable. Writers that arrive during a sync share the next one, so
 * concurrent small uploads do not wait for one sync each.
 */
import { type FileHandle, open } from 'node:fs/promises';

/** Windows cannot open folders, and does not need to sync them. */
const CAN_SYNC = process.platform !== 'win32';

/** Syncs folders by path; opens each folder once and keeps it open. */
export class SyncedFolders {
  readonly #folders = new Map<string, SyncedFolder>();

  /** Resolves when names that were created in the folder before the call are on stable storage. */
  async sync(path: string): Promise<void> {
    if (!CAN_SYNC) return;
    let folder = this.#folders.get(path);
    if (folder === undefined) {
      folder = new SyncedFolder(open(path, 'r'));
      this.#folders.set(path, folder);
      folder.opened.catch(() => this.#folders.delete(path));
    }
    await folder.sync();
  }

  async close(): Promise<void> {
    const folders = [...this.#folders.values()];
    this.#folders.clear();
    await Promise.allSettled(folders.map(async ({ opened }) => (await opened).close()));
  }
}

/** Syncs a folder once, without keeping it open. */
export async function syncFolder(path: string): Promise<void> {
  if (!CAN_SYNC) return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class SyncedFolder {
  readonly opened: Promise<FileHandle>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(opened: Promise<FileHandle>) {
    this.opened = opened;
  }

  sync(): Promise<void> {
    if (this.#running === undefined) return this.#run();
    this.#next ??= this.#running.then(
      () => this.#run(),
      () => this.#run(),
    );
    return this.#next;
  }

  #run(): Promise<void> {
    this.#next = undefined;
    const running = this.opened.then((handle) => handle.sync());
    this.#running = running;
    const settle = () => {
      if (this.#running === running) this.#running = undefined;
    };
    running.then(settle, settle);
    return running;
  }
}
