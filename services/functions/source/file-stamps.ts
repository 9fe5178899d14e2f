/** Detects changes of files without reading them. */
import { stat } from 'node:fs/promises';

/** The state of files. */
interface FileStamps {
  /** Differs after each change, also after one that keeps the size and the time of modification of a file. */
  text: string;
  /** Time of the last change, in milliseconds since the epoch; 0 without files. */
  changedAtMs: number;
}

/** Returns the state of files and folders, which may be absent. */
export async function stampsOf(paths: readonly string[]): Promise<FileStamps> {
  const found = await Promise.all(paths.map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  const text = found.map((file) => file && [file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' '));
  return {
    text: JSON.stringify(text),
    changedAtMs: Math.max(0, ...found.map((file) => Number(file?.ctimeMs ?? 0n))),
  };
}
