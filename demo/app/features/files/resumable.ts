/**
 * Resumable uploads of large files by TUS 1.0.0, as the hosted service's documentation recommends: in parts
 * of 6 MB. The browser stores the progress, so that an upload resumes after a reload when the user selects
 * the same file.
 */
import { constants } from 'greenroom/app';
import { DetailedError, type PreviousUpload, Upload as TusUpload } from 'tus-js-client';
import { keyOf, type OwnerStorage } from './file-calls.ts';
import { joinPath, normalizeName, numberedName, toSegment } from './file-name.ts';
import { FILES_BUCKET, PART_BYTES, UNKNOWN_TYPE } from './files-data.ts';
import { problemOf } from './files-problem.ts';
import { userIdOf } from './token-user.ts';
import type { Transfer, TransferEvents } from './transfer.ts';
import { fingerprintOf } from './unfinished.ts';

/** A file, and its destination. */
export interface ResumableFile {
  ownerStorage: OwnerStorage;
  storageUrl: string;
  folder: string;
  file: File;
  /** The first number for its name. */
  count: number;
}

/** Maximum number of names that are tried for one file. */
const MAX_NAMES = 100;

/** URLs of the uploads that are running in this tab. If the same file is selected twice, only one upload may resume. */
const activeUrls = new Set<string>();

/** Starts or resumes an upload. */
export function startResumable(source: ResumableFile, events: TransferEvents): Transfer {
  let isStopped = false;
  let current: TusUpload | undefined;
  const markInactive = () => {
    if (current?.url) activeUrls.delete(current.url);
  };
  const start = async (count: number): Promise<void> => {
    const upload = createUpload(source, count, {
      onProgress: (sent) => events.onProgress(sent),
      onSuccess: () => {
        markInactive();
        events.onDone();
      },
      onUploadUrlAvailable: () => {
        if (upload.url) activeUrls.add(upload.url);
      },
      onError: (error) => {
        markInactive();
        const problem = problemOf(failureOf(error));
        if (problem === 'nameTaken' && count < source.count + MAX_NAMES && !isStopped) void start(count + 1);
        else events.onFailed(problem);
      },
    });
    const previous = await findPrevious(upload);
    if (isStopped) return;
    if (previous) {
      // An upload that starts over keeps its name.
      upload.options.metadata = { ...upload.options.metadata, ...previous.metadata };
      upload.resumeFromPreviousUpload(previous);
    }
    current = upload;
    upload.start();
  };
  void start(source.count);
  const stop = async (deletesParts: boolean): Promise<void> => {
    isStopped = true;
    markInactive();
    // Storage expires parts whose deletion fails.
    return current?.abort(deletesParts).catch(() => {});
  };
  return { pause: () => void stop(false), cancel: () => stop(true) };
}

/** Deletes the uploaded parts of a file whose upload is not running. */
export async function deleteUploadedParts(source: ResumableFile): Promise<void> {
  const upload = createUpload(source, source.count, {});
  const previous = await findPrevious(upload);
  if (!previous) return;
  upload.resumeFromPreviousUpload(previous);
  await upload.abort(true).catch(() => {});
}

type Handlers = Pick<TusUpload['options'], 'onProgress' | 'onSuccess' | 'onError' | 'onUploadUrlAvailable'>;

function createUpload(source: ResumableFile, count: number, handlers: Partial<Handlers>): TusUpload {
  const { ownerStorage, storageUrl, folder, file } = source;
  const name = numberedName(normalizeName(file.name) || 'file', count);
  return new TusUpload(file, {
    endpoint: `${storageUrl}/upload/resumable`,
    chunkSize: PART_BYTES,
    // The queue decides when to retry.
    retryDelays: null,
    // Data that is sent with the creation is lost if that request breaks off.
    uploadDataDuringCreation: false,
    removeFingerprintOnSuccess: true,
    fingerprint: async () => fingerprintOf(ownerStorage.ownerId, folder, file),
    metadata: {
      bucketName: FILES_BUCKET,
      objectName: keyOf(ownerStorage, joinPath(folder, toSegment(name))),
      contentType: file.type || UNKNOWN_TYPE,
      cacheControl: String(constants.storage.cacheControlSeconds),
    },
    // A token may expire before a large file is sent.
    onBeforeRequest: async (request) => {
      const { data } = await ownerStorage.client.auth.getSession();
      // Another user may have signed in meanwhile; never send the file as that user.
      const token = data.session?.access_token ?? '';
      request.setHeader('authorization', `Bearer ${userIdOf(token) === ownerStorage.ownerId ? token : ''}`);
    },
    ...handlers,
  });
}

async function findPrevious(upload: TusUpload): Promise<PreviousUpload | undefined> {
  const found = await upload.findPreviousUploads().catch(() => []);
  return found.find(({ uploadUrl }) => uploadUrl !== null && !activeUrls.has(uploadUrl ?? ''));
}

function failureOf(error: Error): { status: number; statusCode?: string; message: string } {
  const response = error instanceof DetailedError ? error.originalResponse : undefined;
  const message = response?.getBody() ?? '';
  // Storage reports an invalid token as JSON.
  const statusCode = /"statusCode":"(\d+)"/.exec(message)?.[1];
  return { status: response?.getStatus() ?? 0, ...(statusCode && { statusCode }), message };
}
