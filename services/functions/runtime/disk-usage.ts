/** Size of the files that a process has written. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Each file and folder takes at least this, so that many empty ones count, too. */
const BLOCK_BYTES = 4096;

/**
 * Returns the bytes of folders with everything in them; counts until `maxBytes` are exceeded. Links count as themselves.
 * A process may remove files meanwhile.
 */
export async function diskUsage(folders: readonly string[], maxBytes: number): Promise<number> {
  const pending = [...folders];
  let bytes = 0;
  for (let folder = pending.pop(); folder !== undefined && bytes <= maxBytes; folder = pending.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) pending.push(path);
      const found = await lstat(path).catch(() => undefined);
      bytes += Math.max(BLOCK_BYTES, (found?.blocks ?? 0) * 512);
      if (bytes > maxBytes) return bytes;
    }
  }
  return bytes;
}
