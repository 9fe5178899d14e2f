/** Appends to the last segment of a folder, and begins a new one when it is full. */
import { writeSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { listSegments, removeOldest, type Segment, segmentPath } from './segments.ts';

const OWNER_ONLY = 0o600;
const NEW_LINE = 0x0a;

/** The place of bytes that were written. */
interface WrittenPlace {
  segment: number;
  offset: number;
}

/** The end of a log. Calls must not overlap. */
export interface SegmentOutput {
  /** Appends whole lines. After an error, the next call begins a new segment. */
  append(lines: Buffer): Promise<WrittenPlace>;
  /** Appends at the end of the process, if a segment is open. */
  appendSync(lines: string): void;
  close(): Promise<void>;
}

/** Options of {@link openSegmentOutput}. */
interface SegmentOutputOptions {
  segmentBytes: number;
  /** Maximum size of all segments. */
  keepBytes: number;
}

type OpenSegment = Segment & { file: FileHandle };

/** Opens the end of the log in a folder, which is created if it is missing. */
export async function openSegmentOutput(
  folder: string,
  { segmentBytes, keepBytes }: SegmentOutputOptions,
): Promise<SegmentOutput> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const newest = (await listSegments(folder)).at(-1);
  let last = newest?.number ?? 0;
  let current = newest && newest.bytes < segmentBytes ? await reopen(folder, newest) : undefined;

  async function openNext(): Promise<OpenSegment> {
    await removeOldest(folder, Math.max(0, keepBytes - segmentBytes));
    last += 1;
    return { number: last, bytes: 0, file: await open(segmentPath(folder, last), 'ax', OWNER_ONLY) };
  }

  async function close(): Promise<void> {
    const { file } = current ?? {};
    current = undefined;
    await file?.close();
  }

  return {
    async append(lines) {
      try {
        current ??= await openNext();
        await current.file.appendFile(lines);
      } catch (error) {
        // The segment may end with a part of a line.
        await close().catch(() => undefined);
        throw error;
      }
      const place = { segment: current.number, offset: current.bytes };
      current.bytes += lines.length;
      if (current.bytes >= segmentBytes) await close();
      return place;
    },
    appendSync(lines) {
      if (current) writeSync(current.file.fd, lines);
    },
    close,
  };
}

/** Continues a segment; undefined if it ends with a part of a line. */
async function reopen(folder: string, { number, bytes }: Segment): Promise<OpenSegment | undefined> {
  const file = await open(segmentPath(folder, number), 'a+', OWNER_ONLY);
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, bytes - 1) });
  if (bytes === 0 || buffer[0] === NEW_LINE) return { number, bytes, file };
  await file.close();
  return undefined;
}
