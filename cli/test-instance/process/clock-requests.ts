/** Moves the clocks of the process and of its database when the test requests it. */
import type { ClockMoved, MoveClock } from '../protocol.ts';
import { moveDatabaseClock, wakeCronJobs } from './database-clock.ts';

/** @param moveClock moves the clock of the process */
export function moveClockOnRequest(dataFolder: string, moveClock: (ms: number) => void): void {
  process.on('message', async (message: MoveClock) => {
    if (message.type !== 'move-clock') return;
    const answer: ClockMoved = await move(message.offsetMs).then(
      () => ({ type: 'clock-moved' }),
      (error: Error) => ({ type: 'clock-failed', message: error.message }),
    );
    process.send?.(answer, () => undefined);
  });

  async function move(offsetMs: number): Promise<void> {
    // The process decides which cron jobs are due. Their statements need the new time then.
    await moveDatabaseClock(dataFolder, offsetMs);
    moveClock(offsetMs);
    await wakeCronJobs(dataFolder);
  }
}
