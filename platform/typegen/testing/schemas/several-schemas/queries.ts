import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database, Enums, Tables } from './types.ts';

const client = createClient<Database>('http://127.0.0.1', 'key');

const { data: items } = await client.from('item').select('id, size');
true satisfies Same<typeof items, { id: number; size: 's' | 'm' | null }[] | null>;
const { data: ofShop } = await client.schema('shop').from('item').select('size');
true satisfies Same<typeof ofShop, { size: 'small' | 'large' }[] | null>;
true satisfies Same<Tables<{ schema: 'back office' }, 'stock'>, { item: number; count: number }>;
true satisfies Same<Enums<{ schema: 'shop' }, 'size'>, 'small' | 'large'>;
