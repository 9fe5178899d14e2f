/** Sizes that do not depend on the server's compression: those of gzip. */
import { gzipSync } from 'node:zlib';

/** Fetches the files at `urls` and returns the sum of their gzip sizes, in KB of 1024 bytes. */
export async function gzipKilobytes(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(urls.map(async (url) => gzipSync(await (await fetch(url)).text()).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}
