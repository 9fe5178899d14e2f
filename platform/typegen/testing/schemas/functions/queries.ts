import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database, Enums, Tables } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data: sum } = await client.rpc('add', { a: 1 });
true satisfies Same<typeof sum, number | null>;
// @ts-expect-error: an argument without a default is missing.
await client.rpc('add', { b: 1 });

const { data: tasks } = await client.rpc('all_tasks').eq('is_done', false);
true satisfies Same<typeof tasks, Tables<'task'>[] | null>;
const { data: rows } = await client.rpc('summary', { of_done: true });
true satisfies Same<typeof rows, { title: string; 'total count': number; mood: Enums<'mood'> }[] | null>;
const { data: result } = await client.rpc('moods');
true satisfies Same<typeof result, Enums<'mood'>[] | null>;
// @ts-expect-error: functions of triggers are not exposed.
await client.rpc('on_change');
