/** The lock file of a function: versions and checksums of the modules that it downloads. */
import { dirname, join } from 'node:path';
import type { ProjectFunction } from '@greenroom/project';

/** Returns the path at which Deno keeps it: beside the import map, or the module. It may be absent. */
export function lockFileOf({ entry, importMap }: Pick<ProjectFunction, 'entry' | 'importMap'>): string {
  return join(dirname(importMap ?? entry), 'deno.lock');
}
