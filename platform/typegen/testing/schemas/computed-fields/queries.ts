import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data: people } = await client.from('person').select('id, full_name');
true satisfies Same<typeof people, { id: number; full_name: string | null }[] | null>;
const { data: named } = await client.from('person').select('id, reports(id)');
true satisfies Same<typeof named, { id: number; reports: { id: number }[] }[] | null>;
