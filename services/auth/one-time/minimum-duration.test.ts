import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { delayErrors } from './minimum-duration.ts';

describe('delayErrors', () => {
  /** The order in which work without delay and a timer below the minimum duration settle. */
  async function orderOf(work: () => Promise<void>): Promise<string[]> {
    const order: string[] = [];
    const timer = sleep(40).then(() => order.push('timer'));
    const settled = delayErrors(work).then(
      () => order.push('success'),
      () => order.push('refusal'),
    );
    await Promise.all([timer, settled]);
    return order;
  }

  it('delays an error', async () => {
    expect(await orderOf(async () => Promise.reject(new Error('no')))).toEqual(['timer', 'refusal']);
  });

  it('does not delay a success', async () => {
    expect(await orderOf(async () => {})).toEqual(['success', 'timer']);
  });

  it('rethrows the error of the work', async () => {
    const refused = new Error('no');
    await expect(delayErrors(() => Promise.reject(refused))).rejects.toBe(refused);
  });
});
