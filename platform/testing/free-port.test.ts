import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

it('returns ports outside of the range that the system assigns', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(32_768);
  }
});
