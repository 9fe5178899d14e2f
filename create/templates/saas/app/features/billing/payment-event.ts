/** Events of the payment provider. Providers name their events and fields differently: translate them here. */

/** A change of the subscription of a team. */
export interface SubscriptionEvent {
  /** ISO 8601. */
  occurredAt: string;
  teamId: string;
  planId: string;
  status: string;
  customerId: string;
  /** ISO 8601; absent if the subscription has no end. */
  periodEnd: string | undefined;
}

const TYPES: readonly unknown[] = ['subscription.created', 'subscription.updated', 'subscription.canceled'];

/** Returns `ignored` for events of other types, and undefined if the body is not an event. */
export function parsePaymentEvent(body: string): SubscriptionEvent | 'ignored' | undefined {
  const event = recordOf(parseJson(body));
  if (typeof event?.type !== 'string') return undefined;
  if (!TYPES.includes(event.type)) return 'ignored';
  const subscription = recordOf(event.data);
  const [occurredAt, teamId, planId, status, customerId] = [
    event.timestamp,
    subscription?.team_id,
    subscription?.plan_id,
    subscription?.status,
    subscription?.customer_id,
  ].map(textOf);
  if (!occurredAt || !teamId || !planId || !status || !customerId) return undefined;
  return {
    occurredAt,
    teamId,
    planId,
    status,
    customerId,
    periodEnd: textOf(subscription?.current_period_end),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
