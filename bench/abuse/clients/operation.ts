/** Operations that well-behaved clients repeat at a fixed rate. */
import type { Person } from './input.ts';

/** Services, which are the columns of the suite's table. */
export const SERVICES = ['sign-in', 'auth', 'data', 'realtime', 'storage', 'pages', 'health'] as const;

/** An operation of one service. */
export interface Operation {
  service: (typeof SERVICES)[number];
  name: string;
  perSecond: number;
  /** Runs the operation once. Rejects if it fails. */
  run(person: Person): Promise<unknown>;
}
