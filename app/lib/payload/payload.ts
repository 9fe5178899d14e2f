import type { Language } from '../language.ts';

/** Content of `{path}/_payload.json`: the data of one page, as the server rendered it. */
export interface Payload {
  /** Loader data by route id. */
  data: Readonly<Record<string, unknown>>;
  /** State that all routes share. The session belongs to the root route's data instead. */
  state: { language: Language };
  /** Path with query of the page, below the app's base. */
  path: string;
  serverRendered: true;
  buildId: string;
  /**
   * The error of the routes without data. Such a payload is nested in the error document that API clients
   * read.
   */
  error?: RaisedError;
}

/** An error in the router's format. */
export interface RaisedError {
  /** HTTP status, 400 or more. */
  status: number;
  statusText: string;
  data: unknown;
}
