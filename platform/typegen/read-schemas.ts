/** Reads the schemas of a database into the description that the generators take. */
import type { GeneratorMetadata } from '@supabase/postgrest-typegen';
import type { Queryable } from '@supabase/postgrest-typegen/introspection';
import pg from 'pg';
import { TypesError } from './types-error.ts';

/** SQLSTATE of a statement that ran into `statement_timeout`. */
const QUERY_CANCELED = '57014';

/** Options of {@link readSchemas}. */
export interface SchemaSource {
  /** Connection URL. Only what its role may access is described. */
  url: string;
  /** Names of the schemas to describe. */
  schemas: readonly string[];
  /** Whether schemas that do not exist are skipped; otherwise they are an error. */
  skipsMissing: boolean;
  /** Limit for connecting, and for each statement, in milliseconds. */
  timeoutMs: number;
}

/**
 * Returns the description of the schemas as of one moment, sorted.
 * @throws TypesError if the database cannot be reached or read, or has none of a name
 */
export async function readSchemas(source: SchemaSource): Promise<GeneratorMetadata> {
  const client = await connect(source);
  try {
    return await describe(client, source);
  } catch (error) {
    throw error instanceof TypesError ? error : readingError(error as Error, source);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect({ url, timeoutMs }: SchemaSource): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'greenroom types',
      connectionTimeoutMillis: timeoutMs,
    });
    // A connection that is lost between two statements makes the next one fail.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    throw new TypesError(`cannot connect to ${placeOf(url)}: ${messageOf(error as Error)}`, { cause: error });
  }
}

/** One snapshot for all statements, because a migration may commit between two of them. */
async function describe(client: pg.Client, source: SchemaSource): Promise<GeneratorMetadata> {
  const [{ introspect }, { sortGeneratorMetadata }] = await Promise.all([
    import('@supabase/postgrest-typegen/introspection'),
    import('@supabase/postgrest-typegen/generation'),
  ]);
  await client.query('begin isolation level repeatable read read only');
  // Not a parameter of the connection, because poolers refuse those.
  await client.query(`set local statement_timeout = ${Math.ceil(source.timeoutMs)}`);
  const metadata = await introspect(inTurn(client), { includedSchemas: [...source.schemas] });
  if (!source.skipsMissing) await requireSchemas(client, source.schemas, metadata);
  return sortGeneratorMetadata(metadata);
}

/** The library sends several queries at once, for which pg prints a warning. */
function inTurn(client: pg.Client): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(sql) {
      const result = last.then(() => client.query(sql));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

async function requireSchemas(
  client: pg.Client,
  names: readonly string[],
  { schemas }: GeneratorMetadata,
): Promise<void> {
  const found = new Set(schemas.map(({ name }) => name));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return;
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace
     where nspname !~ '^pg_' and nspname <> 'information_schema' and has_schema_privilege(oid, 'usage')
     order by nspname`,
  );
  const existing = rows.map(({ name }) => name).join(', ');
  throw new TypesError(
    `the database has no ${missing.length > 1 ? 'schemas' : 'schema'} ${missing.join(', ')}. Its schemas: ${existing}.`,
  );
}

function readingError(error: Error, { timeoutMs }: SchemaSource): TypesError {
  const isTimeout = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
  const message = isTimeout
    ? `reading the schemas took longer than the timeout of ${timeoutMs / 1000} seconds`
    : `the schemas cannot be read: ${messageOf(error)}`;
  return new TypesError(message, { cause: error });
}

/** Connecting to a host with several addresses fails with one error for each, and an empty message. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? messageOf(error.errors[0]) : error.message;
}

/** Returns host and port, without the user and the password. */
function placeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? hostname}:${port || '5432'}`;
}
