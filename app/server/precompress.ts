/** Stores a compressed copy next to each browser file, so that requests need no compression. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Text formats; fonts and images are already compressed. */
const COMPRESSIBLE = /\.(js|css|svg|json|txt|map)$/;

/** Writes `.br` and `.gz` copies for the files of one folder, if they are smaller. */
export async function precompress(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(names.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  const brotli = promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  const copies = { br: await brotli, gz: await promisify(gzip)(content, { level: 9 }) };
  for (const [ending, copy] of Object.entries(copies)) {
    if (copy.length < content.length) await writeFile(`${path}.${ending}`, copy);
  }
}
