import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database, Tables } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data } = await client.from('Order').select('class, camelCase, type');
true satisfies Same<
  typeof data,
  | { class: number; camelCase: string | null; type: '1st' | 'with space' | 'ÄÖ' | 'class' | '' | null }[]
  | null
>;
true satisfies Same<Tables<'Order'>['two words'], string | null>;
true satisfies Same<Tables<'Order'>['quoted"name'], string | null>;
true satisfies Same<Tables<'Order'>['back\\slash'], string | null>;
const { data: result } = await client.rpc('delete', { with: 1, 'Some Arg': 'a' });
true satisfies Same<typeof result, number | null>;
