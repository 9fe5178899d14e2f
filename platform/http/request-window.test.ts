import { describe, expect, it } from 'vitest';
import { createRequestWindow, latencyAt, mergeLatencies } from './request-window.ts';

describe('a window of requests', () => {
  it('counts requests and errors by service, and begins again after it was taken', () => {
    const window = createRequestWindow();
    for (const status of [200, 302, 404, 429, 500]) window.record('rest', status, 1);
    window.record('auth', 503, 1);
    expect(window.take().services).toEqual({
      rest: { requests: 5, clientErrors: 2, serverErrors: 1 },
      auth: { requests: 1, clientErrors: 0, serverErrors: 1 },
    });
    expect(window.take()).toEqual({ services: {}, latencies: {} });
  });

  it.each([
    [0, 0.1],
    [0.1, 0.1],
    [1, 1.13],
    [10, 10.8],
    [1000, 1160],
    [59_000, 62_300],
  ])('returns %d ms as %d ms, the next bound', (ms, expected) => {
    const window = createRequestWindow();
    window.record('rest', 200, ms);
    const latency = latencyAt(0.5, window.take().latencies);
    expect(latency).toBe(expected);
    expect(latency).toBeGreaterThanOrEqual(ms);
    expect(latency).toBeLessThanOrEqual(Math.max(0.1, ms * 1.2));
  });

  it('returns percentiles, also of several windows together', () => {
    const windows = [0, 1].map((half) => {
      const window = createRequestWindow();
      for (let ms = 1; ms <= 50; ms += 1) window.record('rest', 200, half * 50 + ms);
      return window.take().latencies;
    });
    const merged = mergeLatencies(windows);
    expect([0.5, 0.95, 0.99].map((share) => latencyAt(share, merged))).toEqual([51.2, 102, 102]);
  });

  it('returns no latency without requests, and ignores the duration of streams', () => {
    const window = createRequestWindow();
    window.record('operator', 200, 120_000);
    const { services, latencies } = window.take();
    expect([services.operator?.requests, latencyAt(0.5, latencies)]).toEqual([1, null]);
  });
});
