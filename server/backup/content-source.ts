/**
 * The rows of storage.objects and their content, for a backup. They are read as the owner of the database: PostgreSQL plans a query
 * with functions of the project that occur in indexes and statistics, and runs them with the rights of the session.
 */
import {
  type ContentRow,
  type ContentRows,
  type ContentSource,
  isContentVersion,
  MAX_METADATA_BYTES,
} from '@greenroom/backup';
import { NEUTRAL_SETTINGS, openSession, type Statement } from '@greenroom/postgres';
import type { ContentStore } from '@greenroom/storage/content-store';

/** Rows in memory at a time: with metadata of the largest size, 8 MB. */
const ROWS = 500;
/** The size on the disk comes first: it is known without reading metadata that is stored outside of the row. */
const COLUMNS = `version, bucket_id as bucket, name as key,
  case when pg_catalog.pg_column_size(metadata) <= ${MAX_METADATA_BYTES}
    and pg_catalog.octet_length(metadata::text) <= ${MAX_METADATA_BYTES} then metadata end as metadata`;
/** SQL may write rows without bucket or key. No request can read them, and an index with such an entry would be invalid. */
const IS_NAMED = 'version is not null and bucket_id is not null and name is not null';

/** All objects of an instance. @param url of the owner of the database */
export function contentSource(url: string, store: ContentStore): ContentSource {
  return {
    // The order of bytes, which all parts of a backup share.
    rows: () =>
      rowsOf(url, {
        text: `select ${COLUMNS} from storage.objects where ${IS_NAMED} order by version collate "C"`,
      }),
    open: (row) => store.open(row),
  };
}

/** Objects by their versions and times. @param url of the owner of the database */
export function contentRows(url: string, store: ContentStore): ContentRows {
  return {
    open: (row) => store.open(row),
    since: (time) =>
      rowsOf(url, {
        text: `select ${COLUMNS} from storage.objects
          where ${IS_NAMED} and greatest(created_at, updated_at) >= $1::timestamptz`,
        values: [time],
      }),
    async withVersions(versions) {
      const rows: ContentRow[] = [];
      const statement = {
        text: `select ${COLUMNS} from storage.objects where ${IS_NAMED} and version = any ($1::text[])`,
        values: [versions],
      };
      for await (const row of rowsOf(url, statement)) rows.push(row);
      return rows;
    },
  };
}

/** Reads rows through a cursor, so that their number does not matter. */
async function* rowsOf(url: string, { text, values }: Statement): AsyncGenerator<ContentRow> {
  const session = await openSession({ url, applicationName: 'greenroom backup' });
  try {
    await session.batch([
      { text: 'begin isolation level repeatable read read only' },
      ...NEUTRAL_SETTINGS,
      { text: `declare objects no scroll cursor for ${text}`, ...(values && { values }) },
    ]);
    for (;;) {
      const [rows = []] = await session.batch([{ text: `fetch ${ROWS} from objects` }]);
      if (rows.length === 0) return;
      for (const row of rows as unknown as ContentRow[]) if (isContentVersion(row.version)) yield row;
    }
  } finally {
    await session.close();
  }
}
