import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Person } from './input.ts';
import { startRecorder } from './recorder.ts';

const person: Person = { address: '127.0.1.1', userId: '', email: '', accessToken: '', refreshToken: '' };

it('records the operations that start in a window, waits for them, and reports the failures', async () => {
  const events = new EventTarget();
  let started = 0;
  const run = async () => {
    started += 1;
    events.dispatchEvent(new Event('started'));
    if (started === 2) throw new Error('504');
  };
  const recorder = startRecorder([{ service: 'data', name: 'read', perSecond: 100, run }], [person]);
  await once(events, 'started');
  recorder.begin();
  while (started < 3) await once(events, 'started');
  const samples = await recorder.end();
  recorder.stop();
  expect(samples.map(({ service, error }) => ({ service, error }))).toEqual([
    { service: 'data', error: 'read: 504' },
    { service: 'data', error: undefined },
  ]);
});

it('starts operations while earlier ones are pending', async () => {
  const finish: (() => void)[] = [];
  const events = new EventTarget();
  const run = () =>
    new Promise<void>((resolve) => {
      finish.push(resolve);
      events.dispatchEvent(new Event('started'));
    });
  const recorder = startRecorder([{ service: 'data', name: 'read', perSecond: 100, run }], [person]);
  recorder.begin();
  while (finish.length < 3) await once(events, 'started');
  const ended = recorder.end();
  recorder.stop();
  for (const each of finish) each();
  expect((await ended).length).toBeGreaterThanOrEqual(3);
});
