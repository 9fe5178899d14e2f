/** Keeps a file of types up to date with the schema of a running database. */
import { followSchema, type SchemaFollower, type TypesRequest, writeTypes } from '@greenroom/typegen';
import { typesText } from './types-of-database.ts';

/** Options of {@link keepTypes}. */
interface KeptTypes {
  /** Path of the file. */
  path: string;
  /** Connection URL of the database. */
  url: string;
  /** Called for each generation, because settings may have been reloaded. */
  request: () => TypesRequest;
  /** Receives messages for the user. */
  onProgress: (line: string) => void;
}

/**
 * Writes the types soon, and again whenever they change, until it is closed. Errors are messages, and the file keeps its
 * content then.
 */
export function keepTypes({ path, url, request, onProgress }: KeptTypes): SchemaFollower {
  async function write(): Promise<void> {
    const text = await typesText(url, request());
    if (await writeTypes(path, text)) onProgress(`wrote ${path}`);
  }

  return followSchema({
    url,
    onChange: () => write().catch(({ message }: Error) => onProgress(`error: ${message}`)),
    onLost: ({ message }) =>
      onProgress(`warning: ${path} is not kept up to date until the database can be reached: ${message}`),
  });
}
