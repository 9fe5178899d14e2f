/** Moves the time of a test instance. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ClockMoved, MoveClock } from './protocol.ts';

/** The clock of an instance: of its services, of `now()` in its database, and of its cron jobs. */
export interface TestClock {
  /** The time of the instance. */
  now(): Date;
  /** Sets the time, which goes on from there. */
  set(time: Date): Promise<void>;
  /** Moves the time forward. */
  advance(duration: Duration): Promise<void>;
  /** Returns to the real time. */
  reset(): Promise<void>;
}

/** A duration: the sum of its parts. */
export interface Duration {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/** @param child returns the current process of the instance */
export function createClock(child: () => ChildProcess): TestClock {
  let moved: { child: ChildProcess; offsetMs: number } | undefined;
  /** A process that was started again has the real time. */
  const offset = () => (moved?.child === child() ? moved.offsetMs : 0);
  const move = async (offsetMs: number) => {
    const target = child();
    await requestMove(target, { type: 'move-clock', offsetMs });
    moved = { child: target, offsetMs };
  };
  return {
    now: () => new Date(Date.now() + offset()),
    set: (time) => move(time.getTime() - Date.now()),
    advance: (duration) => move(offset() + millisecondsOf(duration)),
    reset: () => move(0),
  };
}

function millisecondsOf({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

async function requestMove(child: ChildProcess, request: MoveClock): Promise<void> {
  const answered = once(child, 'message', { signal: endOf(child) });
  child.send(request);
  const [answer] = (await answered) as [ClockMoved];
  if (answer.type === 'clock-failed') throw new Error(`the clock cannot be moved: ${answer.message}`);
}

/** Aborts when the process has ended. */
function endOf(child: ChildProcess): AbortSignal {
  const ended = new AbortController();
  if (!child.connected) ended.abort(new Error('the instance is closed'));
  child.once('disconnect', () => ended.abort(new Error('the instance was closed')));
  return ended.signal;
}
