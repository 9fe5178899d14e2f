import { createClient } from '@supabase/supabase-js';
import type { Same } from '../same.ts';
import type { Database } from './types.ts';

createClient<Database>('http://127.0.0.1', 'key');
true satisfies Same<keyof Database['public']['Tables'], never>;
true satisfies Same<keyof Database['nothing']['Functions'], never>;
