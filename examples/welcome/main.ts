/** A sign-up that causes a mail: auth hook, queue, webhook, function, mail, and a broadcast to a client. */
import { connect, dataOf, requireVariable, signUp } from '../connect.ts';

const watcher = await signUp();
await watcher.client.realtime.setAuth();
const channel = watcher.client.channel('sign-ups', { config: { private: true } });
const welcomed = new Set<string>();
let onWelcomed = () => {};
channel.on('broadcast', { event: 'welcomed' }, ({ payload }) => {
  welcomed.add(payload.user_id);
  onWelcomed();
});
const status = await new Promise<string>((resolve) => void channel.subscribe(resolve));
console.log(`The watcher: ${status}`);

const email = `ada-${crypto.randomUUID()}@example.com`;
const newcomer = connect();
const { user } = dataOf(await newcomer.auth.signUp({ email, password: 'correct horse battery' }));
const id = user?.id ?? '';
// The broadcast can arrive before the response to the sign-up, which has the id.
while (!welcomed.has(id))
  await new Promise<void>((resolve) => {
    onWelcomed = resolve;
  });
console.log('The watcher received: welcomed');

// The mailbox has no function in the official client.
const key = requireVariable('SERVICE_ROLE_KEY');
const response = await fetch(
  `${requireVariable('API_URL')}/auth/v1/admin/messages?q=${encodeURIComponent(email)}`,
  { headers: { apikey: key, Authorization: `Bearer ${key}` } },
);
const mails = (await response.json()) as { kind: string; subject: string }[];
for (const { kind, subject } of mails) console.log(`The mailbox: "${subject}", of the kind ${kind}`);

const { error } = await newcomer.functions.invoke('welcome', { body: { user_id: id, email } });
console.log(`A request without a signature: ${error?.context.status}`);

await watcher.client.removeAllChannels();
