/** Requests of clients, for the charts and the log of the pictures. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';

/** Pauses between two rounds of requests: more and fewer in turn. */
const PAUSES_MS = [90, 60, 40, 30, 45, 70, 110, 140];
const ROUNDS_BEFORE_NEXT_PAUSE = 60;
/** Rounds after which one request fails. */
const ROUNDS_PER_MISSING = 9;
const ROUNDS_PER_ERROR = 170;

/** An instance with a public key, and a user. */
interface Subject {
  url: string;
  anonKey: string;
  email: string;
  password: string;
}

/** Reads, writes and messages, until the signal. */
export async function sendRequests(subject: Subject, signal: AbortSignal): Promise<void> {
  const client = createClient(subject.url, subject.anonKey, { auth: { persistSession: false } });
  const { error } = await client.auth.signInWithPassword(subject);
  if (error) throw error;
  const channel = client.channel('rehearsal', { config: { broadcast: { self: true } } });
  channel.on('broadcast', { event: 'bar' }, () => {});
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') resolve();
    });
  });
  for (let round = 1; !signal.aborted; round++) {
    await client.from('concerts').select('id, title, starts_at').order('starts_at');
    await client
      .from('songs')
      .select('title, minutes')
      .eq('concert_id', (round % 7) + 1);
    await channel.send({ type: 'broadcast', event: 'bar', payload: { bar: round } });
    if (round % 3 === 0) await client.from('attendances').select('concert_id, is_coming');
    if (round % ROUNDS_PER_MISSING === 0) await client.from('tickets').select('id');
    if (round % ROUNDS_PER_ERROR === 1) await client.rpc('print_programme');
    await sleep(PAUSES_MS[Math.floor(round / ROUNDS_BEFORE_NEXT_PAUSE) % PAUSES_MS.length]);
  }
  await client.removeAllChannels();
  await client.auth.signOut({ scope: 'local' });
}
