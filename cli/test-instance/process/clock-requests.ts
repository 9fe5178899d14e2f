/** Moves the clocks of the process and of its database when the test requests it. */
import type { ClockMoved, MoveClock } from '../protocol.ts';
import { moveClocks } from './database-clock.ts';

/** @param moveClock moves the clock of the process */
export function moveClockOnRequest(dataFolder: string, moveClock: (ms: number) => void): void {
  process.on('message', async (message: MoveClock) => {
    if (message.type !== 'move-clock') return;
    const { offsetMs } = message;
    const answer: ClockMoved = await moveClocks(dataFolder, offsetMs, () => moveClock(offsetMs)).then(
      () => ({ type: 'clock-moved' }),
      (error: Error) => ({ type: 'clock-failed', message: error.message }),
    );
    process.send?.(answer, () => undefined);
  });
}
