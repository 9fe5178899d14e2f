/** The messages between a test and its instance, in addition to those of every instance. */

/** Variable with the {@link TestInstanceSpec} as JSON. */
export const SPEC_VARIABLE = 'GREENROOM_TEST_INSTANCE';

/** How to start the instance. */
export interface TestInstanceSpec {
  /** Default: the current folder, if it is a project. */
  project: string | undefined;
  /** Whether the pages are served. */
  pages: boolean;
  /** Settings by their variables. They override all others. */
  settings: Readonly<Record<string, string>>;
}

/** Moves the clock of the instance. */
export interface MoveClock {
  type: 'move-clock';
  /** Difference to the real time. */
  offsetMs: number;
}

/** The answer to {@link MoveClock}. */
export type ClockMoved = { type: 'clock-moved' } | { type: 'clock-failed'; message: string };
