/** Sends files: small ones in one request, larger ones in parts. */
import { observeUpload, retriableImport } from 'greenroom/app';
import { addFile, type OwnerStorage, removeEntries } from './file-calls.ts';
import { normalizeName } from './file-name.ts';
import type { Transfer, TransferEvents } from './transfer.ts';
import type { Upload } from './upload.ts';

/** A file to send, and its destination. */
export interface FileSource {
  file: File;
  /** The first number for its name. */
  count: number;
  ownerStorage: OwnerStorage;
  /** URL of storage without a trailing slash. */
  storageUrl: string;
}

/** The code for parts is loaded with the first large file. */
const loadResumable = retriableImport(() => import('./resumable.ts'));

/** Starts to send a file. */
export function sendFile(upload: Upload, source: FileSource, events: TransferEvents): Transfer {
  return (upload.isResumable ? sendInParts : sendInOneRequest)(upload, source, events);
}

/** Deletes the parts of an upload that is not running. */
export async function deleteParts({ folder, isResumable }: Upload, source: FileSource): Promise<void> {
  if (!isResumable) return;
  const { deleteUploadedParts } = await loadResumable();
  await deleteUploadedParts({ ...source, folder });
}

function sendInOneRequest(
  { folder }: Upload,
  { file, count, ownerStorage }: FileSource,
  events: TransferEvents,
): Transfer {
  const abortController = new AbortController();
  let sent = 0;
  const onProgress = (bytes: number) => {
    // The request body is longer than the file, because it is a multipart form.
    sent = Math.min(bytes, file.size);
    events.onProgress(sent);
  };
  let isCancelled = false;
  const name = normalizeName(file.name) || 'file';
  const done = observeUpload({ onProgress, signal: abortController.signal }, (headers) =>
    addFile(ownerStorage, { folder, name, count, content: file, headers }),
  ).then(({ value, problem }) => {
    if (isCancelled) {
      if (value !== undefined) void removeEntries(ownerStorage, [{ kind: 'file', path: value }]);
    } else if (problem !== undefined) events.onFailed(problem);
    else events.onDone();
  });
  const cancel = () => {
    isCancelled = true;
    // If the file was sent completely, storage may have stored it. Then the response is needed for its name.
    if (sent < file.size) abortController.abort();
    return done;
  };
  return { pause: () => void cancel(), cancel };
}

function sendInParts({ folder }: Upload, source: FileSource, events: TransferEvents): Transfer {
  const loading = loadResumable().then(
    ({ startResumable }) => startResumable({ ...source, folder }, events),
    () => events.onFailed('unreachable'),
  );
  return {
    pause: () => void loading.then((transfer) => transfer?.pause()),
    cancel: () => loading.then((transfer) => transfer?.cancel()),
  };
}
