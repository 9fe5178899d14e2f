import type { LoaderArgs, PageProps } from 'greenroom/app';
import { supabase } from 'greenroom/app/server';
import { data } from 'react-router';
import type { Database } from '../database.ts';

export async function loader({ context, params }: LoaderArgs) {
  const client = await supabase<Database>(context);
  const { data: item } = await client.from('items').select('title').eq('id', Number(params.id)).maybeSingle();
  if (item === null) throw data(null, { status: 404 });
  return item;
}

export default function Item({ loaderData, params }: PageProps<typeof loader>) {
  return (
    <p>
      {params.id}: {loaderData.title}
    </p>
  );
}
