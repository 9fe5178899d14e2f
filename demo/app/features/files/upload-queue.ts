/**
 * The uploads of this tab. They outlive the page that has started them. ./upload-state.ts defines their
 * states; this file runs the effects.
 */
import { afterSignOut, backoffDelay, setRunningUploads } from 'greenroom/app';
import { freeNumber, normalizeName, numberedName } from './file-name.ts';
import { type FilesProblem, MAX_FILE_BYTES, PART_BYTES } from './files-data.ts';
import { deleteParts, type FileSource, sendFile } from './send-file.ts';
import type { Transfer, TransferEvents } from './transfer.ts';
import { applyUploadEvent, hasEnded, newUpload, nextUpload, type Upload, withProgress } from './upload.ts';
import type { UploadEffect, UploadEvent } from './upload-state.ts';

/** The destination of added files. */
interface Target extends Pick<FileSource, 'ownerStorage' | 'storageUrl'> {
  folder: string;
  /** Names of the folder's entries. */
  takenNames: readonly string[];
}

/** A queue that runs a few uploads at a time. */
class UploadQueue {
  #uploads: readonly Upload[] = [];
  /** Files and destinations by upload id, until the upload is done or removed. */
  readonly #sources = new Map<string, FileSource>();
  /** Transfers of running uploads, by id. */
  readonly #transfers = new Map<string, Transfer>();
  readonly #listeners = new Set<() => void>();
  readonly #doneListeners = new Set<(folder: string) => void>();

  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns all uploads; the same array until it changes. */
  readonly getUploads = (): readonly Upload[] => this.#uploads;

  /** Calls `listener` with the folder of each upload that is done. Returns a function that unsubscribes. */
  onDone(listener: (folder: string) => void): () => void {
    this.#doneListeners.add(listener);
    return () => this.#doneListeners.delete(listener);
  }

  /** Adds files under free names. A file that is too large fails without being sent. */
  add(files: readonly File[], { ownerStorage, storageUrl, folder, takenNames }: Target): void {
    const inFolder = this.#uploads.filter((upload) => upload.folder === folder);
    const names = [...takenNames, ...inFolder.map(({ name }) => name)];
    const added = files.map((file) => {
      const originalName = normalizeName(file.name) || 'file';
      const count = freeNumber(originalName, names);
      const name = numberedName(originalName, count);
      names.push(name);
      const id = crypto.randomUUID();
      this.#sources.set(id, { file, count, ownerStorage, storageUrl });
      const isResumable = file.size > PART_BYTES;
      return newUpload({ id, ownerId: ownerStorage.ownerId, folder, name, size: file.size, isResumable });
    });
    this.#set([...this.#uploads, ...added]);
    for (const { id, size } of added) {
      if (size > MAX_FILE_BYTES) this.#dispatch(id, 'failed', 'tooLarge');
    }
    this.#startNext();
  }

  /** Pauses an upload. Uploaded parts are kept. */
  pause(id: string): void {
    this.#dispatch(id, 'paused');
    this.#startNext();
  }

  /** Resumes a paused upload, or retries. */
  resume(id: string): void {
    this.#dispatch(id, 'resumed');
    this.#startNext();
  }

  /** Removes an upload, and deletes the uploaded parts unless it is done. */
  cancel(id: string): void {
    this.#dispatch(id, 'cancelled');
    this.#startNext();
  }

  /** Removes the uploads that have ended from the list. */
  clear(): void {
    for (const { id } of this.#uploads.filter(hasEnded)) this.#sources.delete(id);
    this.#set(this.#uploads.filter((upload) => !hasEnded(upload)));
  }

  /** Removes the uploads of a user who has signed out. */
  removeUploadsOf(ownerId: string): void {
    for (const upload of this.#uploads) {
      if (upload.ownerId === ownerId) this.#dispatch(upload.id, 'signed-out');
    }
  }

  #startNext(): void {
    for (let next = nextUpload(this.#uploads); next; next = nextUpload(this.#uploads)) {
      this.#dispatch(next.id, 'started');
    }
  }

  #dispatch(id: string, event: UploadEvent, problem?: FilesProblem): void {
    const upload = this.#find(id);
    const source = this.#sources.get(id);
    if (!upload) return;
    const [changed, effect] = applyUploadEvent(upload, event, { now: Date.now(), problem });
    this.#replace(id, changed);
    if (effect && source) this.#runEffect(effect, changed ?? upload, source);
    if (changed?.state !== 'running') this.#transfers.delete(id);
    if (!changed || changed.state === 'done') this.#sources.delete(id);
  }

  #runEffect(effect: UploadEffect, upload: Upload, source: FileSource): void {
    const transfer = this.#transfers.get(upload.id);
    switch (effect) {
      case 'start':
        this.#startTransfer(upload, source);
        break;
      case 'stop':
        transfer?.pause();
        break;
      case 'abort':
        this.#notifyAfter(transfer?.cancel());
        break;
      case 'delete-parts':
        this.#notifyAfter(deleteParts(upload, source));
        break;
      case 'retry-later':
        this.#retryLater(upload);
        break;
      case 'notify':
        for (const listener of this.#doneListeners) listener(upload.folder);
    }
  }

  #startTransfer(upload: Upload, source: FileSource): void {
    const { id } = upload;
    const isCurrent = () => this.#transfers.get(id) === transfer;
    const end = (event: UploadEvent, problem?: FilesProblem) => {
      if (!isCurrent()) return;
      this.#dispatch(id, event, problem);
      this.#startNext();
    };
    const events: TransferEvents = {
      onProgress: (sent) => {
        const current = this.#find(id);
        if (current && isCurrent()) this.#replace(id, withProgress(current, sent, Date.now()));
      },
      onDone: () => end('done'),
      onFailed: (problem) => end(problem === 'unreachable' ? 'disconnected' : 'failed', problem),
    };
    const transfer = sendFile(upload, source, events);
    this.#transfers.set(id, transfer);
  }

  /** Notifies the listeners after the deletion of parts, which changes the list of interrupted uploads. */
  #notifyAfter(deletion: Promise<void> | undefined): void {
    void deletion?.then(() => this.#set([...this.#uploads]));
  }

  #retryLater({ id, failures }: Upload): void {
    const retry = () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
      if (this.#find(id)?.state === 'offline') this.resume(id);
    };
    // Offline, an attempt would fail. The `online` event retries when the network returns.
    const timer = setTimeout(() => navigator.onLine && retry(), backoffDelay(failures));
    window.addEventListener('online', retry);
  }

  #find(id: string): Upload | undefined {
    return this.#uploads.find((upload) => upload.id === id);
  }

  #replace(id: string, changed: Upload | undefined): void {
    this.#set(this.#uploads.flatMap((upload) => (upload.id === id ? (changed ?? []) : upload)));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    setRunningUploads(uploads.filter((upload) => !hasEnded(upload)).map(({ ownerId }) => ownerId));
    for (const listener of this.#listeners) listener();
  }
}

export const uploadQueue = new UploadQueue();

// Closing the tab aborts uploads, so the browser asks first. Before a sign-out, the app has already asked.
if (typeof window !== 'undefined') {
  afterSignOut((ownerId) => uploadQueue.removeUploadsOf(ownerId));
  window.addEventListener('beforeunload', (event) => {
    if (!uploadQueue.getUploads().every(hasEnded)) event.preventDefault();
  });
}
