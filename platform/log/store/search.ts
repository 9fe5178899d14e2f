/** Searches the segments of a log, newest lines first, within a budget of bytes and time. */
import { type FileHandle, open } from 'node:fs/promises';
import type { LogEntry } from '../log-entry.ts';
import { createLineMatcher, type LogFilter, timeOfLine } from './filter.ts';
import { type Chunk, linesFromEnd, readChunkBefore } from './read-backwards.ts';
import { listSegments, type Segment, segmentPath } from './segments.ts';

/** Bytes that a search reads. */
const BUDGET_BYTES = 32 * 1024 * 1024;
const BUDGET_MS = 200;
/** Contains the time of the first line. */
const HEAD_BYTES = 128;

/** The place of a line: its segment, and its offset in it. */
export interface Position {
  segment: number;
  offset: number;
}

/** A line that was found. */
export interface FoundLine extends LogEntry {
  position: Position;
}

/** Lines, newest first. */
export interface LogPage {
  lines: FoundLine[];
  /** Where the search goes on; undefined at the end of the log. */
  next: Position | undefined;
  /** Time of the oldest line that was compared; undefined if there was none. */
  searchedTo: string | undefined;
}

/** Options of {@link searchSegments}. */
interface SearchOptions {
  filter: LogFilter;
  /** Returns lines before this one. Default: the end of the log. */
  before?: Position | undefined;
  limit: number;
  budgetBytes?: number;
  budgetMs?: number;
}

/** The state of a search. */
interface Search extends Required<Pick<SearchOptions, 'filter' | 'limit'>> {
  match: ReturnType<typeof createLineMatcher>;
  page: LogPage;
  hasBudget(): boolean;
  spend(bytes: number): void;
}

/** Searches for lines. A search that exhausts its budget returns where to go on, possibly without lines. */
export async function searchSegments(folder: string, options: SearchOptions): Promise<LogPage> {
  const { filter, before, limit, budgetBytes = BUDGET_BYTES, budgetMs = BUDGET_MS } = options;
  let bytes = budgetBytes;
  const end = performance.now() + budgetMs;
  const page: LogPage = { lines: [], next: undefined, searchedTo: undefined };
  const search: Search = {
    filter,
    limit,
    match: createLineMatcher(filter),
    page,
    hasBudget: () => bytes > 0 && performance.now() < end,
    spend: (count) => {
      bytes -= count;
    },
  };
  const segments = (await listSegments(folder)).reverse();
  for (const segment of segments) {
    if (before && segment.number > before.segment) continue;
    const from = before?.segment === segment.number ? Math.min(before.offset, segment.bytes) : segment.bytes;
    if (await searchSegment(folder, { number: segment.number, bytes: from }, search)) return page;
  }
  return page;
}

/** Returns true at the end of the search. */
async function searchSegment(folder: string, { number, bytes }: Segment, search: Search): Promise<boolean> {
  // It may have been removed since.
  const file = await open(segmentPath(folder, number)).catch(() => undefined);
  if (file === undefined) return false;
  try {
    if (await isAfter(file, search.filter.to)) return false;
    let end = bytes;
    while (end > 0) {
      if (!search.hasBudget()) {
        search.page.next = { segment: number, offset: end };
        return true;
      }
      const chunk = await readChunkBefore(file, end);
      search.spend(end - chunk.start);
      if (searchChunk(chunk, number, search)) return true;
      end = chunk.start;
    }
    return false;
  } finally {
    await file.close();
  }
}

/** Whether all lines of a segment are later than the range. */
async function isAfter(file: FileHandle, to: string | undefined): Promise<boolean> {
  if (to === undefined) return false;
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 });
  const time = timeOfLine(buffer.toString('latin1', 0, bytesRead));
  return time !== undefined && time >= to;
}

/** Returns true at the end of the search. */
function searchChunk(chunk: Chunk, segment: number, { filter, limit, match, page }: Search): boolean {
  for (const { offset, line } of linesFromEnd(chunk)) {
    const time = timeOfLine(line);
    page.searchedTo = time ?? page.searchedTo;
    if (filter.from !== undefined && time !== undefined && time < filter.from) return true;
    const entry = match(line);
    if (entry === undefined) continue;
    page.lines.push({ ...entry, position: { segment, offset } });
    if (page.lines.length < limit) continue;
    page.next = { segment, offset };
    return true;
  }
  return false;
}
