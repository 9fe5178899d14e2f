import type { LoaderArgs } from 'greenroom/app';
import { adminSupabase, urlOf } from 'greenroom/app/server';
import type { Database } from '../database.ts';

export const guard = 'public';

/** Counts the items of all users. */
export async function loader({ context }: LoaderArgs) {
  const client = await adminSupabase<Database>(context);
  const { count } = await client.from('items').select('*', { count: 'exact', head: true });
  return Response.json({ count, page: urlOf('/items', context) });
}
