/** The error of an instance that does not start because its database and its store do not belong together. */

/** The ids of the database and the store that do not match. */
interface Mismatch {
  /** Location of the content: a folder, or a bucket and its server. */
  location: string;
  storeId: string | undefined;
  databaseId: string | undefined;
  isDatabaseNew: boolean;
}

/** Aborts the start before anything was changed. */
export class StoreMismatchError extends Error {
  override readonly name = 'StoreMismatchError';

  constructor(mismatch: Mismatch) {
    super(
      `${describeMismatch(mismatch)}\n` +
        'Either the database of this instance is missing, or another database or another store is connected.\n' +
        'Restore the database, or correct DATABASE_URL, GREENROOM_DATA_DIR or S3_BUCKET.\n' +
        'To use this store with this database anyway, set GREENROOM_ADOPT_STORE=true for one start: ' +
        'nothing is deleted, and content without a row is at most moved to quarantine.',
    );
  }
}

function describeMismatch({ location, storeId, databaseId, isDatabaseNew }: Mismatch): string {
  const store =
    storeId === undefined
      ? `${location} contains objects of another instance`
      : `${location} belongs to the instance ${printable(storeId)}`;
  if (isDatabaseNew) return `${store}, but the database is new.`;
  if (databaseId === undefined) return `${store}, and contains none of the objects in the database.`;
  return `${store}, but the database belongs to the instance ${databaseId}.`;
}

const MAX_SHOWN_LENGTH = 64;

/** Shortens and escapes the id, because the store may have been edited by hand. */
function printable(id: string): string {
  return JSON.stringify(id.slice(0, MAX_SHOWN_LENGTH)).slice(1, -1);
}
