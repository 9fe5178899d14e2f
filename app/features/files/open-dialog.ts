/** Which dialog about an entry is open. */
import type { Entry, FileEntry } from './file-entry.ts';

/** Which one is open, and what it is about. */
export type OpenDialog =
  | { kind: 'folder' }
  | { kind: 'rename' | 'move'; entry: Entry }
  | { kind: 'link' | 'preview'; entry: FileEntry };
