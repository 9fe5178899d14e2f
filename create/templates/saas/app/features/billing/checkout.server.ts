/**
 * Returns the page on which the payment provider sells a plan to a team; undefined until one is configured. Most providers offer
 * links that carry a reference, which their events return: PAYMENTS_CHECKOUT_URL contains `{team}` and `{plan}`, for example
 * `https://pay.example.org/buy?reference={team}&plan={plan}`.
 */
export function checkoutUrl(teamId: string, planId: string): string | undefined {
  const template = process.env.PAYMENTS_CHECKOUT_URL;
  if (!template) return undefined;
  return template
    .replaceAll('{team}', encodeURIComponent(teamId))
    .replaceAll('{plan}', encodeURIComponent(planId));
}
