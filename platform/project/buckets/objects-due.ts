/** Remembers that the objects of a project are uploaded once: to a new database, never to one with data of users. */
import type { Database } from '@greenroom/postgres';

type Queryable = Pick<Database, 'query'>;

/** Whether the database is new, and the objects have not been uploaded yet. */
export async function areObjectsDue(database: Queryable): Promise<boolean> {
  const [row] = await database.query({ text: 'select are_objects_due from greenroom.project' });
  return row?.are_objects_due === true;
}

/** No later start uploads the objects. */
export async function recordObjects(database: Queryable): Promise<void> {
  await database.query({ text: 'update greenroom.project set are_objects_due = false' });
}
