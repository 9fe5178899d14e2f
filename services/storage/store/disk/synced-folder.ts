/**
 * Making new names in a folder last. Writers that come while a sync is under way share the next one, so many small
 * uploads at once do not queue for the disk one by one.
 */
import { type FileHandle, open } from 'node:fs/promises';

/** Windows cannot open folders, and needs no such thing. */
const CAN_SYNC = process.platform !== 'win32';

/** Folders by path; each is opened once and kept open. */
export class SyncedFolders {
  readonly #folders = new Map<string, SyncedFolder>();

  /** Resolves when names that were made in the folder before the call are on stable storage. */
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

/** Syncs a folder that is not worth keeping open. */
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
    const over = () => {
      if (this.#running === running) this.#running = undefined;
    };
    running.then(over, over);
    return running;
  }
}
