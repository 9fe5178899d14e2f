/** The result of a form without scripts. */
import type { FilesProblem } from './files-data.ts';

/** The result of a failed form. `name` is the name of the file. */
export interface FilesOutcome {
  kind: 'files';
  problem: FilesProblem;
  name?: string;
}
