/** The one session of `greenroom functions serve` that may run at a time. */
import { failure } from '../errors.ts';
import type { ServeOverrides } from './overrides.ts';

/** The session of a node. */
export interface ServeSession {
  /** The changes that apply; undefined without a session. */
  readonly overrides: ServeOverrides | undefined;
  /** Begins a session. Returns the function that ends it. Rejects with an error of the catalogue if one runs. */
  begin(overrides: ServeOverrides): Promise<() => Promise<void>>;
}

/** Creates the session. @param apply called when the changes begin and end to apply */
export function createServeSession(apply: () => Promise<void>): ServeSession {
  let current: ServeOverrides | undefined;
  return {
    get overrides() {
      return current;
    },
    async begin(overrides) {
      if (current !== undefined) throw failure('SERVE_ACTIVE');
      current = overrides;
      const end = async () => {
        if (current !== overrides) return;
        current = undefined;
        await apply();
      };
      await apply().catch(async (error: unknown) => {
        await end().catch(() => undefined);
        throw error;
      });
      return end;
    },
  };
}
