/** Ends downloads that exceed their limits: Deno has none. */
import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage } from '../process-usage.ts';

/** Limits of the download for one version of a function. */
export interface DownloadLimits {
  /** Maximum size of all files together. */
  maxBytes: number;
  maxFileBytes: number;
  timeoutMs: number;
}

const MEBIBYTE = 1024 * 1024;
const SAMPLE_MS = 250;
/** Memory of Deno itself. */
const RUNTIME_BYTES = 128 * MEBIBYTE;
/** Deno loads the files of several modules into memory at once. */
const FILES_IN_MEMORY = 4;
/** Maximum size of the note that Deno appends to a module, with its URL. */
const MAX_NOTE_BYTES = 4096;
/** Folder of code that Deno derives from modules. */
const COMPILED = 'gen';

/** Watches the process of a download until the signal aborts. Returns the limit that it exceeds; undefined for none. */
export async function findExcess(
  pid: number,
  cache: string,
  { limits, signal }: { limits: DownloadLimits; signal: AbortSignal },
): Promise<string | undefined> {
  const maxMemory = RUNTIME_BYTES + FILES_IN_MEMORY * limits.maxFileBytes;
  while (!signal.aborted) {
    const usage = await readUsage(pid);
    if (usage !== undefined && usage.residentBytes > maxMemory)
      return `a module or package is larger than ${inMebibytes(limits.maxFileBytes)}${FILE_SETTING}`;
    const excess = await excessIn(cache, limits);
    if (excess !== undefined) return excess;
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

const FILE_SETTING = ', see GREENROOM_FUNCTIONS_DOWNLOAD_FILE_MB';

/** Returns the limit that the files of a cache exceed; undefined for none. */
export async function excessIn(
  cache: string,
  { maxBytes, maxFileBytes }: Pick<DownloadLimits, 'maxBytes' | 'maxFileBytes'>,
): Promise<string | undefined> {
  let bytes = 0;
  const folders = [cache];
  for (const folder of folders) {
    // Deno may move files meanwhile.
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && path !== join(cache, COMPILED)) folders.push(path);
      const size = entry.isFile() ? ((await lstat(path).catch(() => undefined))?.size ?? 0) : 0;
      if (size > maxFileBytes)
        return `${await nameOf(path, cache)} is larger than ${inMebibytes(maxFileBytes)}${FILE_SETTING}`;
      bytes += size;
    }
    if (bytes > maxBytes)
      return `its modules are larger than ${inMebibytes(maxBytes)} together, see GREENROOM_FUNCTIONS_DOWNLOAD_MB`;
  }
  return undefined;
}

function inMebibytes(bytes: number): string {
  return `${bytes / MEBIBYTE} MiB`;
}

/** Returns the URL of a module, or the path of a file in a package. */
async function nameOf(path: string, cache: string): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read({
    buffer: Buffer.alloc(MAX_NOTE_BYTES),
    position: Math.max(0, size - MAX_NOTE_BYTES),
  });
  const note = buffer.subarray(0, bytesRead).toString('latin1');
  return /"url":"(?<url>[^"]+)"/.exec(note)?.groups?.url ?? relative(cache, path);
}
