/** Content in a folder of its own, without any care for crashes. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { failure } from '../errors.ts';
import type { ContentFacts, ContentName, ObjectStore } from '../store/object-store.ts';

/** Makes one. */
export async function createPlainStore(): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-store-'));
  const at = ({ version }: Pick<ContentName, 'version'>) => join(folder, version);
  const partAt = (uploadId: string, part: number) => join(folder, `${uploadId}.${part}`);
  const factsAt = async (path: string): Promise<ContentFacts> => {
    const found = await stat(path).catch(() => {
      throw failure('NoSuchKey');
    });
    const md5 = createHash('md5').update(await readFile(path));
    return { size: found.size, eTag: `"${md5.digest('hex')}"`, lastModified: found.mtime };
  };
  const writeTo = async (path: string, content: NodeJS.ReadableStream, maxBytes: number) => {
    let size = 0;
    const limit = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size > maxBytes) done(failure('EntityTooLarge'));
        else done(null, chunk);
      },
    });
    try {
      await pipeline(content, limit, createWriteStream(path));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return factsAt(path);
  };
  return {
    write: (name, content, { maxBytes }) => writeTo(at(name), content, maxBytes),
    async read(name, range) {
      const file = await open(at(name)).catch(() => {
        throw failure('NoSuchKey');
      });
      return createReadStream('', { fd: file, ...range });
    },
    facts: (name) => factsAt(at(name)),
    copy: (from, to) => copyFile(at(from), at(to)),
    async remove(names) {
      for (const name of names) await rm(at(name), { force: true });
    },
    beginParts: async () => randomUUID(),
    writePart: ({ uploadId, partNumber }, content, { maxBytes }) =>
      writeTo(partAt(uploadId, partNumber), content, maxBytes),
    async completeParts(upload, parts) {
      for (const { partNumber } of parts) {
        await pipeline(
          createReadStream(partAt(upload.uploadId, partNumber)),
          createWriteStream(at(upload), { flags: 'a' }),
        );
      }
      return factsAt(at(upload));
    },
    abortParts: async () => {},
    async *list() {},
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
