import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database, Enums, Json, Tables, TablesInsert } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data } = await client.from('article').select('id, title, status, tags, details, rating').single();
true satisfies Same<
  typeof data,
  {
    id: number;
    title: string;
    status: Enums<'status'>;
    tags: string[] | null;
    details: NonNullable<Json>;
    rating: number | null;
  } | null
>;
true satisfies Same<Enums<'status'>, 'draft' | 'in review' | 'done' | 'it\'s "quoted"'>;
true satisfies Same<Tables<'article'>['earlier'], Enums<'status'>[]>;

({ title: 'only what has no default', contact: 'ada@example.org' }) satisfies TablesInsert<'article'>;
await client.from('article').insert({ title: 'Title', contact: 'ada@example.org', number: 1 });
// @ts-expect-error: the database generates the key.
await client.from('article').insert({ id: 1, title: 'Title', contact: 'ada@example.org' });
// @ts-expect-error: no value of the enum.
await client.from('article').update({ status: 'unknown' });
