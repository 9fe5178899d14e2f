/**
 * POST /api/payments: events of the payment provider, signed by the Standard Webhooks specification with the key in
 * PAYMENTS_WEBHOOK_SECRET. Only they change subscriptions.
 */
import type { ActionArgs } from 'greenroom/app';
import { adminSupabase } from 'greenroom/app/server';
import type { Database } from '../../database.types.ts';
import { parsePaymentEvent, type SubscriptionEvent } from '../features/billing/payment-event.ts';
import { verifyWebhook } from '../features/billing/standard-webhooks.server.ts';

/** The signature replaces a session. */
export const guard = 'public';

/** Classes of SQLSTATE for values that no retry makes valid: wrong formats, unknown plans and states. */
const INVALID = /^(22|23)/;

/** Stores a change of a subscription. The provider sends an event again after any other status than 2xx. */
export async function action({ context, request }: ActionArgs): Promise<Response> {
  const secret = process.env.PAYMENTS_WEBHOOK_SECRET;
  if (!secret) return Response.json({ error: 'PAYMENTS_WEBHOOK_SECRET is not set.' }, { status: 503 });
  const body = await request.text();
  const id = verifyWebhook({ headers: request.headers, body, secret, now: Date.now() });
  if (id === undefined)
    return Response.json({ error: 'The signature is wrong or too old.' }, { status: 401 });
  const event = parsePaymentEvent(body);
  if (event === undefined) return Response.json({ error: 'The event is malformed.' }, { status: 400 });
  if (event === 'ignored') return new Response(null, { status: 204 });
  const client = await adminSupabase<Database>(context);
  const { error } = await client.rpc('apply_subscription', argumentsOf(id, event));
  if (error === null) return new Response(null, { status: 204 });
  if (INVALID.test(error.code)) return Response.json({ error: error.message }, { status: 422 });
  throw error;
}

function argumentsOf(id: string, event: SubscriptionEvent) {
  return {
    event_id: id,
    occurred_at: event.occurredAt,
    team: event.teamId,
    plan: event.planId,
    new_status: event.status,
    customer: event.customerId,
    ...(event.periodEnd !== undefined && { period_end: event.periodEnd }),
  };
}
