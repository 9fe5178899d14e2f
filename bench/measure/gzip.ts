/** Sizes that compare however a server compresses: what gzip makes of files. */
import { gzipSync } from 'node:zlib';

/** Fetches the files at `urls` and adds up what each is in gzip, in KB of 1024 bytes. */
export async function gzipKilobytes(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(urls.map(async (url) => gzipSync(await (await fetch(url)).text()).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}
