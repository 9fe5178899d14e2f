/**
 * The uploads of this tab. They belong to no page: whoever goes to another page of the app finds them still running.
 * Files up to a size go in one request, larger ones in parts.
 */

import { waitAfterFailures } from '../../lib/back-off.ts';
import { retriableImport } from '../../lib/modules/retriable-import.ts';
import { setOngoing } from '../../lib/ongoing.ts';
import { freeNumber, numberedName, tidyName } from '../../session/file-name.ts';
import { afterSignOut } from '../../session/leaving.ts';
import { watched } from '../../session/watched-fetch.ts';
import { addFile, type Owned, removeEntries } from './file-calls.ts';
import { MAX_FILE_BYTES, PART_BYTES } from './files-data.ts';
import type { Running, RunningEvents } from './running-upload.ts';
import { isOver, newUpload, nextUpload, reduceUploads, type Upload, type UploadEvent } from './upload.ts';

/** What an upload needs beside what is shown of it. */
interface Work {
  file: File;
  /** The first number that its name may have. */
  count: number;
  owned: Owned;
  /** Where storage is; without a slash at the end. */
  storageUrl: string;
}

const loadResumable = retriableImport(() => import('./resumable.ts'));

let uploads: readonly Upload[] = [];
const works = new Map<string, Work>();
const running = new Map<string, Running>();
const listeners = new Set<() => void>();
const doneListeners = new Set<(folder: string) => void>();

/** For `useSyncExternalStore`. */
export function watchUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All of this tab. */
export function currentUploads(): readonly Upload[] {
  return uploads;
}

/** Calls `listener` with the folder of each upload that is done. Returns how to stop. */
export function onUploaded(listener: (folder: string) => void): () => void {
  doneListeners.add(listener);
  return () => doneListeners.delete(listener);
}

/** Puts files into the queue. `taken`: names that the folder has already. */
export function addUploads(
  files: readonly File[],
  {
    owned,
    storageUrl,
    folder,
    taken,
  }: Pick<Work, 'owned' | 'storageUrl'> & { folder: string; taken: readonly string[] },
): void {
  const names = [...taken, ...uploads.filter((each) => each.folder === folder).map(({ name }) => name)];
  const added = files.map((file) => {
    const plain = tidyName(file.name) || 'file';
    const count = freeNumber(plain, names);
    const name = numberedName(plain, count);
    names.push(name);
    const id = crypto.randomUUID();
    works.set(id, { file, count, owned, storageUrl });
    const isResumable = file.size > PART_BYTES;
    return newUpload({ id, ownerId: owned.ownerId, folder, name, size: file.size, isResumable });
  });
  tell({ type: 'added', uploads: added });
  // What is too large need not be sent to be told so.
  for (const { id, size } of added) {
    if (size > MAX_FILE_BYTES) tell({ type: 'failed', id, problem: 'tooLarge' });
  }
  pump();
}

/** Holds an upload; what has arrived stays. */
export function pauseUpload(id: string): void {
  running.get(id)?.pause();
  running.delete(id);
  tell({ type: 'paused', id });
  pump();
}

/** Goes on with an upload that is held, or tries again. */
export function resumeUpload(id: string): void {
  tell({ type: 'resumed', id });
  pump();
}

/** Takes an upload back. */
export function cancelUpload(id: string): void {
  const upload = uploads.find((each) => each.id === id);
  const isHeld = upload?.state === 'paused' || upload?.state === 'offline';
  const takenBack = isHeld ? discardHeld(upload) : running.get(id)?.cancel();
  forget(id);
  pump();
  // By then the browser has forgotten it, too.
  void takenBack?.then(() => tell({ type: 'removed', id }));
}

/** Takes what is over off the list. */
export function clearUploads(): void {
  for (const { id } of uploads.filter(isOver)) works.delete(id);
  tell({ type: 'cleared' });
}

function forget(id: string): void {
  running.delete(id);
  works.delete(id);
  tell({ type: 'removed', id });
}

function tell(event: UploadEvent): void {
  uploads = reduceUploads(uploads, event);
  setOngoing(uploads.filter((each) => !isOver(each)).map(({ ownerId }) => ownerId));
  for (const listener of listeners) listener();
}

function pump(): void {
  for (let next = nextUpload(uploads); next; next = nextUpload(uploads)) start(next);
}

function start(upload: Upload): void {
  const { id, folder, isResumable } = upload;
  const work = works.get(id);
  if (!work) {
    forget(id);
    return;
  }
  tell({ type: 'started', id, now: Date.now() });
  // What was held or taken back may still have something to say.
  const isCurrent = () => running.get(id) === entry;
  const end = (event: UploadEvent) => {
    running.delete(id);
    tell(event);
    pump();
  };
  const events: RunningEvents = {
    onProgress(sent) {
      if (isCurrent()) tell({ type: 'progress', id, sent, now: Date.now() });
    },
    onDone() {
      if (!isCurrent()) return;
      works.delete(id);
      end({ type: 'done', id });
      for (const listener of doneListeners) listener(folder);
    },
    onFailed(problem) {
      if (!isCurrent()) return;
      end({ type: 'failed', id, problem });
      if (problem === 'unreachable') scheduleRetry(id);
    },
  };
  const entry = isResumable ? sendInParts(upload, work, events) : sendWhole(upload, work, events);
  running.set(id, entry);
}

function sendWhole({ folder }: Upload, { file, count, owned }: Work, events: RunningEvents): Running {
  const stopping = new AbortController();
  let sent = 0;
  let isCancelled = false;
  const onProgress = (bytes: number) => {
    // What surrounds the file is sent, too.
    sent = Math.min(bytes, file.size);
    events.onProgress(sent);
  };
  const name = tidyName(file.name) || 'file';
  const done = watched({ onProgress, signal: stopping.signal }, (headers) =>
    addFile(owned, { folder, name, count, content: file, headers }),
  ).then(({ value, problem }) => {
    if (isCancelled) {
      if (value !== undefined) void removeEntries(owned, [{ kind: 'file', path: value }]);
    } else if (problem !== undefined) events.onFailed(problem);
    else events.onDone();
  });
  const cancel = () => {
    isCancelled = true;
    // What has left as a whole may be there already: only its answer says under which name.
    if (sent < file.size) stopping.abort();
    return done;
  };
  return { pause: () => void cancel(), cancel };
}

/** The code for it is loaded with the first large file. */
function sendInParts(upload: Upload, work: Work, events: RunningEvents): Running {
  const loading = loadResumable().then(
    ({ startResumable }) => startResumable({ ...work, folder: upload.folder }, events),
    () => events.onFailed('unreachable'),
  );
  return {
    pause: () => void loading.then((begun) => begun?.pause()),
    cancel: () => loading.then((begun) => begun?.cancel()),
  };
}

/** An upload that does not run may have left parts behind. */
async function discardHeld({ id, folder, isResumable }: Upload): Promise<void> {
  const work = works.get(id);
  if (!work || !isResumable) return;
  const { discardUnfinished } = await loadResumable();
  await discardUnfinished({ ...work, folder });
}

function scheduleRetry(id: string): void {
  const upload = uploads.find((each) => each.id === id);
  if (!upload) return;
  const retry = () => {
    clearTimeout(timer);
    window.removeEventListener('online', retry);
    if (uploads.some((each) => each.id === id && each.state === 'offline')) resumeUpload(id);
  };
  // Without a network there is nothing to try; the event says when there is one.
  const timer = setTimeout(() => navigator.onLine && retry(), waitAfterFailures(upload.failures));
  window.addEventListener('online', retry);
}

/** What belongs to somebody who has signed out is not sent any more. */
function dropUploads(ownerId: string): void {
  for (const { id } of uploads.filter((each) => each.ownerId === ownerId)) {
    running.get(id)?.pause();
    forget(id);
  }
}

/** Whoever leaves breaks uploads off: the browser asks them first. Who signs out has been asked already. */
if (typeof window !== 'undefined') {
  afterSignOut(dropUploads);
  window.addEventListener('beforeunload', (event) => {
    if (!uploads.every(isOver)) event.preventDefault();
  });
}
