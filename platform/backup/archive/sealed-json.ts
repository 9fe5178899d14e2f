/**
 * Clear JSON files with a `seal`: a blob with the name of the file, whose content is the checksum. Readers with a key notice
 * changes by those who have none.
 */
import { z } from 'zod';
import { ArchiveError } from '../errors.ts';
import type { Archive } from './archive.ts';
import { decodeChecked, encodeChecked } from './checked-json.ts';

const sealSchema = z.object({ checksum: z.string(), seal: z.base64().optional() });

/** Returns the text of a file with these fields, their checksum and the seal. */
export async function encodeSealed(
  archive: Pick<Archive, 'encode'>,
  name: string,
  fields: Record<string, unknown>,
): Promise<Buffer> {
  const file = JSON.parse(encodeChecked(fields).toString('utf8'));
  const seal = await archive.encode(name, Buffer.from(file.checksum, 'hex'));
  return Buffer.from(`${JSON.stringify({ ...file, seal: seal.toString('base64') })}\n`);
}

/**
 * Checks the seal of a file. Returns false if it has none: earlier versions wrote none in some files, and everyone with write
 * access can remove it. Rejects with kind `damaged` for a wrong seal, and with kind `wrongKey`.
 */
export async function hasSeal(
  archive: Pick<Archive, 'decode' | 'store'>,
  name: string,
  bytes: Uint8Array,
): Promise<boolean> {
  const { checksum, seal } = decodeChecked(name, bytes, sealSchema);
  if (seal === undefined) return false;
  const sealed = await archive.decode(name, Buffer.from(seal, 'base64'));
  if (sealed.toString('hex') === checksum) return true;
  throw new ArchiveError(
    'damaged',
    `${name} in ${archive.store.location} is damaged: it was changed after it was sealed`,
  );
}
