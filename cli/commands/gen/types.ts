/** Generates types from the database of a project. */
import type { ProjectOptions } from '../../settings.ts';
import { printTypes, readTypesSource } from '../../types/types-of-database.ts';
import { readTypesOptions, type TypesValues } from '../../types/types-options.ts';
import { watchTypes } from '../../types/watch-types.ts';

/** Prints the types or writes their file, once or until it is stopped; resolves with the exit code. */
export async function generateTypesOf(values: TypesValues, options: ProjectOptions): Promise<number> {
  const own = readTypesOptions(values);
  const source = await readTypesSource(own, options);
  if (own.watches && own.output !== undefined) return watchTypes(own.output, source);
  await printTypes(own.output, source);
  return 0;
}
