/** Messages between the service and its render processes. */
import type { RequestedType } from './format.ts';
import type { Transform } from './transform.ts';

/** An image to render. */
export interface RenderJob {
  source: Uint8Array;
  transform: Transform;
  type: RequestedType;
  /** Timeout of the job in seconds. */
  seconds: number;
}

/** An encoded image. */
export interface Rendered {
  data: Uint8Array;
  mediaType: string;
}

/** Result of a job. */
export type RenderOutcome = ({ kind: 'rendered' } & Rendered) | { kind: 'refused'; refusal: Refusal };

/** A message of a render process. It sends `ready` once, before all others. */
export type RenderMessage = RenderOutcome | { kind: 'ready' };

/** Reason why an image was not rendered. */
export type Refusal = 'unreadable' | 'too-many-pixels' | 'too-slow';
