/**
 * The clear JSON files of an archive. Each is one object with `format`, and `checksum`: the SHA-256 of its JSON without
 * the fields `checksum` and `seal`. The checksum finds accidents without a key; only encryption finds attacks.
 */
import { createHash } from 'node:crypto';
import { printable } from '@greenroom/log/printable';
import { z } from 'zod';
import { ArchiveError } from '../errors.ts';

/** The format that this version writes, and the newest that it reads. */
const FORMAT = 1;

const headSchema = z.looseObject({ format: z.int().positive(), greenroomVersion: z.string().optional() });

/** Returns the text of a file with these fields, and its checksum as its last field. */
export function encodeChecked(fields: Record<string, unknown>): Buffer {
  const file = { format: FORMAT, ...fields };
  return Buffer.from(`${JSON.stringify({ ...file, checksum: checksumOf(file) })}\n`);
}

/**
 * Parses a file. Control characters of its texts are visible escapes in the result, because messages and lists have them.
 * Throws kind `refused` for a newer format, and kind `damaged` for everything else that is not valid.
 * @param name for messages
 */
export function decodeChecked<Schema extends z.ZodType>(
  name: string,
  bytes: Uint8Array,
  schema: Schema,
): z.infer<Schema> {
  const raw = parseObject(name, bytes);
  const shown = printableJson(raw);
  const { format, greenroomVersion } = parseWith(name, headSchema, shown);
  if (format > FORMAT) {
    const version =
      greenroomVersion === undefined ? 'a newer version of Greenroom' : `Greenroom ${greenroomVersion}`;
    throw new ArchiveError(
      'refused',
      `${name} has format ${format}, and this version of Greenroom reads formats up to ${FORMAT}: use ${version} or newer`,
    );
  }
  if (raw.checksum !== checksumOf(raw)) throw damaged(name, 'its checksum is wrong');
  return parseWith(name, schema, shown);
}

/** Returns a copy with printable texts and names of fields. */
function printableJson(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(printableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [printable(name), printableJson(member)]),
  );
}

/** Returns the checksum of the fields of a file, in their order. */
function checksumOf({ checksum: _, seal: __, ...fields }: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

function parseObject(name: string, bytes: Uint8Array): Record<string, unknown> {
  try {
    const raw: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>;
  } catch (cause) {
    throw damaged(name, 'it is not JSON', cause);
  }
  throw damaged(name, 'it is not a JSON object');
}

function parseWith<Schema extends z.ZodType>(name: string, schema: Schema, raw: unknown): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(raw);
  if (success) return data;
  const [issue] = error.issues;
  throw damaged(name, `its field ${issue?.path.join('.') || '(all)'} is invalid: ${issue?.message}`, error);
}

function damaged(name: string, reason: string, cause?: unknown): ArchiveError {
  return new ArchiveError('damaged', `${name} is damaged: ${reason}`, { cause });
}
