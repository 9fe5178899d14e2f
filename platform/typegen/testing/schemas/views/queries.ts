import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database, Tables } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data: pets } = await client.from('visible_pet').select('name, shout, owner(name)');
true satisfies Same<
  typeof pets,
  { name: string | null; shout: string | null; owner: { name: string } | null }[] | null
>;
true satisfies Same<Tables<'owner_count'>, { owner: number | null; pets: number | null }>;
true satisfies Same<Tables<'pet_name'>, { name: string | null }>;

await client.from('visible_pet').insert({ id: 1, name: 'Rex', owner: 1 });
// @ts-expect-error: the column is an expression.
await client.from('visible_pet').update({ shout: 'Rex!' });
// @ts-expect-error: the view has groups.
await client.from('owner_count').insert({ owner: 1 });
