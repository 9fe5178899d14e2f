/** An operation that well-behaved clients repeat at a fixed rate. */
import type { Person } from './input.ts';

/** Columns of the suite's table. */
export const SERVICES = ['sign-in', 'auth', 'data', 'realtime', 'storage', 'pages', 'health'] as const;

/** One operation. */
export interface Operation {
  service: (typeof SERVICES)[number];
  name: string;
  perSecond: number;
  /** Takes as long as the operation. Throws where it fails. */
  run(person: Person): Promise<unknown>;
}
