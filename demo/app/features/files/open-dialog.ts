/** The state of the open dialog. */
import type { Entry, FileEntry } from './file-entry.ts';

/** The open dialog, and its entry. */
export type OpenDialog =
  | { kind: 'folder' }
  | { kind: 'rename' | 'move'; entry: Entry }
  | { kind: 'link' | 'preview'; entry: FileEntry };
