import { expect, it } from 'vitest';
import { createPhaseTimes, timeoutMessage } from './phase-times.ts';

it('the message of a timeout has the time of each phase, with those of redirects, and the current one', () => {
  let now = 0;
  const phases = createPhaseTimes(() => now);
  for (const [phase, ms] of [
    ['dns', 1],
    ['handshake', 20],
    ['http', 300],
    ['handshake', 4000],
    ['http', 0.5],
    ['handshake', 60_000],
    ['dns', 700_000],
  ] as const) {
    now += ms;
    phases.enter(phase);
  }
  now += 0.25;
  expect(timeoutMessage(5000, phases.read())).toBe(
    'Timeout of 5000 ms reached. Total time: 764321.750000 ms (DNS time: 20.250000 ms, ' +
      'TCP/SSL handshake time: 700301.500000 ms, HTTP Request/Response time: 64000.000000 ms)',
  );
});
