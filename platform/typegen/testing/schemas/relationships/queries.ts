import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data: authors } = await client
  .from('author')
  .select('name, profile(bio), book!book_writer_fkey(title)');
true satisfies Same<
  typeof authors,
  { name: string; profile: { bio: string | null } | null; book: { title: string }[] }[] | null
>;

const { data: books } = await client.from('book').select('title, author!book_writer_fkey(name), label(name)');
true satisfies Same<
  typeof books,
  { title: string; author: { name: string }; label: { name: string | null }[] }[] | null
>;

const { data: copies } = await client.from('copy').select('id, edition(year)');
true satisfies Same<NonNullable<typeof copies>[number]['id'], number>;
