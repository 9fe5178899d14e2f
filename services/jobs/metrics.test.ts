import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createJobsMetrics } from './metrics.ts';

it('counts webhooks once for scrapes in quick succession, and again for another count', async () => {
  const registry = new Registry();
  const { countWebhooksBy } = createJobsMetrics(registry);
  expect(await registry.metrics()).toContain('greenroom_webhooks_pending 0\n');
  let counts = 0;
  const countAs = (pending: number) => async () => {
    counts += 1;
    return { pending, failed: 2, oldest_seconds: 3 };
  };
  countWebhooksBy(countAs(7));
  const [first, second] = [await registry.metrics(), await registry.metrics()];
  expect(first).toContain('greenroom_webhooks_pending 7\n');
  expect(first).toContain('greenroom_webhooks_failed 2\n');
  expect(first).toContain('greenroom_webhooks_oldest_seconds 3\n');
  expect([second, counts]).toEqual([first, 1]);
  countWebhooksBy(countAs(8));
  expect(await registry.metrics()).toContain('greenroom_webhooks_pending 8\n');
  countWebhooksBy(undefined);
  expect([await registry.metrics(), counts]).toEqual([
    expect.stringContaining('greenroom_webhooks_pending 0\n'),
    2,
  ]);
});
