/** The schemas that commands compare. */
import { databaseUrl } from '../connection-url.ts';

/** Where a schema comes from. */
export type SchemaSource =
  /** A new database with all migrations of the project. */
  | { kind: 'migrations' }
  /** The database of the instance. */
  | { kind: 'local' }
  /** A new database with the files of the declared schema. */
  | { kind: 'declared' }
  | { kind: 'database'; url: string };

/** Returns the source that an option names. Throws for another text than `migrations`, `local` or a connection URL. */
export function sourceOf(option: '--from' | '--to', text: string): SchemaSource {
  if (text === 'migrations' || text === 'local') return { kind: text };
  if (/^postgres(?:ql)?:/.test(text)) return { kind: 'database', url: databaseUrl(option, text) };
  throw new Error(`${option} must be migrations, local or a connection URL (postgresql://…).`);
}

/**
 * Returns the names of `--schema`, which may be repeated and contain several names; undefined if it is missing. Throws for
 * an empty name.
 */
export function schemasOf(texts: readonly string[] | undefined): readonly string[] | undefined {
  const names = texts?.flatMap((text) => text.split(',').map((name) => name.trim()));
  if (names?.some((name) => name === '' || name.includes('*')))
    throw new Error('--schema requires names of schemas, e.g. --schema public,private.');
  return names;
}
