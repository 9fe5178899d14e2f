/** A private room: members receive messages and see who is present; others cannot subscribe. */
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { dataOf, signUp } from '../connect.ts';

const writer = await signUp();
const reader = await signUp();
const stranger = await signUp();

const { id: room } = dataOf(await writer.client.from('rooms').select('id').eq('name', 'lobby').single());
for (const { client } of [writer, reader]) {
  const { error } = await client.from('members').insert({ room_id: room });
  if (error) throw error;
}

const channel = await roomChannel(reader.client);
const received = new Promise<{ content: string }>((resolve) => {
  channel.on('broadcast', { event: 'message' }, ({ payload }) => resolve(payload as { content: string }));
});
const present = new Promise<number>((resolve) => {
  channel.on('presence', { event: 'sync' }, () => {
    const { length } = Object.keys(channel.presenceState());
    if (length === 2) resolve(length);
  });
});
console.log(`The reader: ${await subscribe(channel)}`);
const other = await roomChannel(writer.client);
console.log(`The writer: ${await subscribe(other)}`);
await Promise.all([channel.track({}), other.track({})]);
console.log(`Present: ${await present}`);

dataOf(await writer.client.from('messages').insert({ room_id: room, content: 'Hello' }).select('id'));
console.log(`The reader received: ${(await received).content}`);

console.log(`The stranger: ${await subscribe(await roomChannel(stranger.client))}`);
const { error } = await stranger.client.from('messages').insert({ room_id: room, content: 'Hi' });
console.log(`The stranger writes: ${error?.message}`);

for (const { client } of [writer, reader, stranger]) await client.removeAllChannels();

async function roomChannel(client: SupabaseClient): Promise<RealtimeChannel> {
  await client.realtime.setAuth();
  return client.channel(`room:${room}`, { config: { private: true } });
}

function subscribe(target: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => {
    target.subscribe((status, reason) => resolve(reason ? `${status} ${reason.message}` : status));
  });
}
