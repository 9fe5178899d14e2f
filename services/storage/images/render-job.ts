/** What is said between the service and the processes that render for it. */
import type { WantedType } from './format.ts';
import type { Transform } from './transform.ts';

/** One image to be rendered. */
export interface RenderJob {
  source: Uint8Array;
  transform: Transform;
  type: WantedType;
  /** The work is given up after so many seconds. */
  seconds: number;
}

/** A rendered image. */
export interface Rendered {
  data: Uint8Array;
  mediaType: string;
}

/** What becomes of a job. */
export type RenderOutcome = ({ kind: 'rendered' } & Rendered) | { kind: 'refused'; refusal: Refusal };

/** What a process says by itself; `ready` comes first, and once. */
export type RenderMessage = RenderOutcome | { kind: 'ready' };

/** Why an image was not rendered. */
export type Refusal = 'unreadable' | 'too-many-pixels' | 'too-slow';
