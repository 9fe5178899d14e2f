/** Copies files to the storage service of the running instance, and objects from there. */
import { withAbortSignal } from '../../interruption.ts';
import { projectToRun } from '../../project.ts';
import { type ProjectOptions, readSettings } from '../../settings.ts';
import { downloadAll, downloadObject } from '../../storage/download.ts';
import { openRemoteStorage } from '../../storage/remote-storage.ts';
import { isFolderPath, isStorageAddress, parseStorageAddress } from '../../storage/storage-path.ts';
import { type UploadHeaders, uploadAll, uploadObject } from '../../storage/upload.ts';

/** Options of {@link copyFiles}. */
interface CopyOptions {
  source: string;
  target: string;
  isRecursive: boolean;
  headers: UploadHeaders;
  /** Number of concurrent transfers. */
  jobs: number;
}

/** Uploads or downloads. Ctrl-C leaves complete files and objects only. */
export async function copyFiles(options: CopyOptions, project: ProjectOptions): Promise<number> {
  const { source, target } = options;
  const isDownload = isStorageAddress(source);
  if (isDownload && isStorageAddress(target)) {
    throw new Error(
      'copying inside of storage is not supported. Move objects: greenroom storage mv, or download and upload them.',
    );
  }
  if (!isDownload && !isStorageAddress(target)) {
    throw new Error(
      'storage cp requires an address of storage, e.g. greenroom storage cp readme.md ss:///docs/readme.md.',
    );
  }
  for (const path of [source, target]) if (path === '') throw new Error('a path must not be empty.');
  await withAbortSignal('interrupted; complete files and objects are kept.', (signal) =>
    isDownload ? download(options, project, signal) : upload(options, project, signal),
  );
  return 0;
}

async function download(
  { source, target, isRecursive, jobs }: CopyOptions,
  project: ProjectOptions,
  signal: AbortSignal,
): Promise<void> {
  const from = parseStorageAddress(source);
  if (!isRecursive && isFolderPath(from))
    throw new Error(`${JSON.stringify(source)} names no object. Download a folder or a bucket with -r.`);
  const storage = await openRemoteStorage(project, signal);
  await (isRecursive ? downloadAll(storage, from, { target, jobs }) : downloadObject(storage, from, target));
}

async function upload(
  { source, target, isRecursive, headers, jobs }: CopyOptions,
  project: ProjectOptions,
  signal: AbortSignal,
): Promise<void> {
  const to = parseStorageAddress(target);
  const storage = await openRemoteStorage(project, signal);
  if (!isRecursive) return uploadObject(storage, source, { to, headers });
  const { buckets = [] } = projectToRun(await readSettings(project)) ?? {};
  await uploadAll(storage, source, { to, headers, jobs, buckets });
}
