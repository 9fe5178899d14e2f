import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { CompositeTypes, Database } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data } = await client.from('bill').select('total').single();
true satisfies Same<typeof data, { total: CompositeTypes<'money_amount'> } | null>;
true satisfies Same<
  CompositeTypes<'money_amount'>,
  { amount: number | null; currency: 'EUR' | 'USD' | null }
>;
const { data: total } = await client.rpc('total_of', { lines: [] });
true satisfies Same<typeof total, CompositeTypes<'money_amount'> | null>;
