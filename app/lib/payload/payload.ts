/** The data of one page, as its server rendered it. */
import type { Language } from '../language.ts';

/** What `{path}/_payload.json` holds. */
export interface Payload {
  /** Each route's data by the route's id. */
  data: Readonly<Record<string, unknown>>;
  /** What is shared by all routes. The session is not in here: it belongs to the root route's data. */
  state: { language: Language };
  /** Path with query of the page, below the app's base. */
  path: string;
  serverRendered: true;
  buildId: string;
  /** What the routes without data failed with. Such a payload comes inside of the error that other programs read. */
  error?: RaisedError;
}

/** An error as the router keeps it. */
export interface RaisedError {
  /** HTTP's, 400 or more. */
  status: number;
  statusText: string;
  data: unknown;
}
