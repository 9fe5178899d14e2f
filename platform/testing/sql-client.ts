/** Connections of tests that send SQL as any role. */
import pg from 'pg';

/** Opens a connection. Its notices are ignored unless the test listens to them. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('notice', () => undefined);
  await client.connect();
  return client;
}

/** Runs statements, and returns the rows of the last one. */
export async function lastRows(client: pg.Client, sql: string): Promise<Record<string, unknown>[]> {
  const result: unknown = await client.query(sql);
  const last: unknown = Array.isArray(result) ? result.at(-1) : result;
  return (last as pg.QueryResult).rows;
}
