/** The data of one page, as its server rendered it. */
import type { Language } from '../texts/language.ts';

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
}
