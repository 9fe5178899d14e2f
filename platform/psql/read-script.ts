/** Opens the files of scripts, which may be compressed by gzip. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ScriptError } from './script-error.ts';
import { ScriptReader } from './script-reader.ts';
import { ScriptText } from './script-text.ts';

/** The first bytes of a file in gzip's format (RFC 1952, section 2.3.1). */
const GZIP = Buffer.from([0x1f, 0x8b]);
/** The first bytes of pg_dump's custom format. */
const CUSTOM_FORMAT = Buffer.from('PGDMP');

/**
 * Opens a script.
 * @param name the file, for messages
 * @throws ScriptError if the file cannot be read, or is a dump in another format than SQL
 */
export async function readScript(path: string, name = path): Promise<ScriptReader> {
  const start = await firstBytes(path, name);
  if (start.equals(CUSTOM_FORMAT))
    throw new ScriptError(
      `${name} is a dump in pg_dump's custom format. Convert it to SQL: pg_restore -f backup.sql ${name}`,
    );
  return new ScriptReader(new ScriptText(chunksOf(path, name, start.subarray(0, 2).equals(GZIP))), name);
}

async function firstBytes(path: string, name: string): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(CUSTOM_FORMAT.length),
      0,
      CUSTOM_FORMAT.length,
    );
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new ScriptError(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function* chunksOf(path: string, name: string, isCompressed: boolean): AsyncGenerator<string> {
  const file = createReadStream(path);
  const bytes = isCompressed ? pipeline(file, createGunzip(), () => undefined) : file;
  try {
    for await (const chunk of bytes.setEncoding('utf8')) yield chunk as string;
  } catch (error) {
    throw new ScriptError(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
