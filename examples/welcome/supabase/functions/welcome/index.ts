/** Welcomes new users: called by a webhook for each message of the queue `welcomes`. */
import { createClient } from 'jsr:@supabase/supabase-js@2';
import { Webhook } from 'npm:standardwebhooks@1';

const webhook = new Webhook(Deno.env.get('WEBHOOK_SECRET') ?? '');
const admin = createClient(
  Deno.env.get('SUPABASE_URL') ?? '',
  Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '',
);

Deno.serve(async (request) => {
  const body = await request.text();
  try {
    webhook.verify(body, Object.fromEntries(request.headers));
  } catch {
    return new Response('The request has no valid signature', { status: 401 });
  }
  const messages = dataOf(
    await admin.schema('pgmq_public').rpc('read', { queue_name: 'welcomes', sleep_seconds: 30, n: 10 }),
  );
  for (const { msg_id, message } of messages)
    dataOf(await admin.rpc('welcome', { message_id: msg_id, ...message }));
  return Response.json({ welcomed: messages.length });
});

/** Throws the error of a response. The webhook is then repeated. */
function dataOf({ data, error }) {
  if (error) throw new Error(error.message);
  return data;
}
