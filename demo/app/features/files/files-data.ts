/** Data of a folder. */
import { constants } from 'greenroom/app';
import type { Entry } from './file-entry.ts';

/** A folder's entries, or a problem if they could not be read. `hasMore`: the folder has further entries. */
export type FilesData =
  | { kind: 'list'; folder: string; entries: Entry[]; hasMore: boolean }
  | { kind: 'problem'; folder: string };

/** The bucket of all users' files. */
export const FILES_BUCKET = 'files';

/** Number of entries per page. */
export const PAGE_SIZE = constants.storage.list.limit;

/** Maximum size of a file, which the migration sets for the bucket. */
export const MAX_FILE_BYTES = 50_000_000;

/** Larger files are sent in parts of this size, as the hosted service's documentation recommends. */
export const PART_BYTES = 6 * 1024 * 1024;

/** Media type that browsers send for files of unknown type. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** The reasons why a change failed. */
export type FilesProblem =
  | 'tooLarge'
  | 'wrongType'
  | 'nameTaken'
  | 'noName'
  | 'noFile'
  | 'tooDeep'
  | 'notSetUp'
  | 'refused'
  | 'gone'
  | 'unreachable';
