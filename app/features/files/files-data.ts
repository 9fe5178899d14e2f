/** What the page knows of a folder when it is made. */
import { CONSTANTS } from '../../constants.ts';
import type { Entry } from './file-entry.ts';

/** A folder's entries, or that they could not be read. `hasMore`: there are others after them. */
export type FilesData =
  | { kind: 'list'; folder: string; entries: Entry[]; hasMore: boolean }
  | { kind: 'problem'; folder: string };

/** The bucket of everybody's files, and that of their pictures. */
export const FILES_BUCKET = 'files';

/** So many entries come at once. */
export const PAGE_SIZE = CONSTANTS.storage.list.limit;

/** Largest file, as the migration sets it for the bucket. */
export const MAX_FILE_BYTES = 50_000_000;

/** Larger files go in parts, as the hosted service's documentation says. The same are the parts. */
export const PART_BYTES = 6 * 1024 * 1024;

/** What a browser sends along for a file it knows no type of. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** What went wrong with a change. */
export type FilesProblem =
  | 'tooLarge'
  | 'wrongType'
  | 'nameTaken'
  | 'noName'
  | 'tooDeep'
  | 'notSetUp'
  | 'refused'
  | 'gone'
  | 'unreachable';
