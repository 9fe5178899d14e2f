/** Databases that tests of conformance share: the SQL that makes them. */
import { readFile } from 'node:fs/promises';

/** The SQL of `<name>.sql`. */
export function fixture(name: 'observatory' | 'signals' | 'printing'): Promise<string> {
  return readFile(new URL(`./${name}.sql`, import.meta.url), 'utf8');
}
