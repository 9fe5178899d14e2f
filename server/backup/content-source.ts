/** The objects of an instance for a backup. */
import { type ContentRow, type ContentSource, isContentVersion } from '@greenroom/backup';
import { openSession } from '@greenroom/postgres';
import type { ContentStore } from '@greenroom/storage/content-store';

const ROWS = 2000;

/** Reads rows through a cursor, so that their number does not matter. @param url of the superuser */
export function contentSource(url: string, store: ContentStore): ContentSource {
  return { rows: () => rowsOf(url), open: (row) => store.open(row) };
}

async function* rowsOf(url: string): AsyncGenerator<ContentRow> {
  const session = await openSession({ url, applicationName: 'greenroom backup' });
  try {
    // The order of bytes, which all parts of a backup share.
    await session.batch([
      { text: 'begin isolation level repeatable read read only' },
      {
        text: `declare objects no scroll cursor for
          select version, bucket_id as bucket, name as key, metadata from storage.objects
          where version is not null order by version collate "C"`,
      },
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
