import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database, Tables } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data } = await client.from('event').select('id, kind');
true satisfies Same<typeof data, { id: number; kind: string }[] | null>;
true satisfies Same<Tables<'truck'>, { id: number; wheels: number; load: number | null }>;
