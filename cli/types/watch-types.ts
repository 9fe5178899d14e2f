/** `greenroom gen types --watch`: keeps a file up to date until it is stopped. */
import { withoutPassword } from '../connection-url.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { keepTypes } from './keep-types.ts';
import { followedUrl, printMessage, printTypesOf, type TypesSource } from './types-of-database.ts';

/**
 * Writes the types, and again whenever they change. Throws if the first types cannot be generated; later errors are
 * printed.
 * @param path of the file
 */
export async function watchTypes(path: string, { database, request }: TypesSource): Promise<number> {
  const url = await followedUrl(database);
  return runUntilStopped(async () => {
    await printTypesOf(url, path, request);
    printMessage(`following the schema of ${withoutPassword(url)}`);
    return keepTypes({ path, url, request: () => request, onProgress: printMessage });
  });
}
