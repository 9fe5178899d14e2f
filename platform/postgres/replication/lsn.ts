/** Positions in the write-ahead log, and the segments (files) that it consists of. Pure. */
import type { Lsn } from './wal-message.ts';

/** Size of a segment of the clusters that Greenroom creates: the default of initdb. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
const SEGMENT = BigInt(SEGMENT_BYTES);
const SEGMENTS_PER_FILE_ID = 0x1_0000_0000n / SEGMENT;

const LSN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** Parses PostgreSQL's notation, e.g. `16/B374D848`. Throws for any other text. */
export function parseLsn(text: string): Lsn {
  const [, high, low] = LSN.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is not a position in the log`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Returns a position in PostgreSQL's notation, e.g. `16/B374D848`. */
export function formatLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

/** Returns the first position of the segment that contains a position. */
export function segmentStart(lsn: Lsn): Lsn {
  return lsn - (lsn % SEGMENT);
}

/** Returns the first position after the segment that contains a position. */
export function segmentEnd(lsn: Lsn): Lsn {
  return segmentStart(lsn) + SEGMENT;
}

/** Returns the file name of the segment that contains a position, e.g. `000000010000000000000003`. */
export function segmentName(timeline: number, lsn: Lsn): string {
  const segment = lsn / SEGMENT;
  const parts = [BigInt(timeline), segment / SEGMENTS_PER_FILE_ID, segment % SEGMENTS_PER_FILE_ID];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
}

const SEGMENT_NAME = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/;

/** Parses the file name of a segment; undefined for any other name, e.g. that of a history file. */
export function parseSegmentName(name: string): { timeline: number; start: Lsn } | undefined {
  const [, timeline, file, segment] = SEGMENT_NAME.exec(name) ?? [];
  if (timeline === undefined || file === undefined || segment === undefined) return undefined;
  const index = BigInt(`0x${file}`) * SEGMENTS_PER_FILE_ID + BigInt(`0x${segment}`);
  return { timeline: Number.parseInt(timeline, 16), start: index * SEGMENT };
}
