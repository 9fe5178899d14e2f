/** What the page shows after a form of its own was sent. */
import type { FilesProblem } from './files-data.ts';

/** What came of a form, unless all is well. `name` is the file it was about. */
export interface FilesOutcome {
  kind: 'files';
  problem: FilesProblem;
  name?: string;
}
