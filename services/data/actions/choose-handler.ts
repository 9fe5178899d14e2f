/** What makes the answer out of rows: of what is accepted, the first that can be produced. */
import { type Negotiated, negotiate } from '../request/accept.ts';
import type { QualifiedName } from '../schema-cache/schema-cache.ts';
import type { ActionContext } from './context.ts';

/**
 * Chooses it.
 * @param target what handlers of the database are for
 * @throws PGRST107
 */
export function chooseHandler(
  { snapshot, query, accepted }: ActionContext,
  target: QualifiedName,
): Negotiated {
  return negotiate(accepted, {
    handlers: snapshot.cache.mediaHandlers,
    target,
    // Whoever writes the default out, as the official clients do, means the same.
    hasDefaultSelect: query.select.length === 1 && query.select[0]?.kind === 'all',
    isPlanEnabled: snapshot.config.allowsPlans,
  });
}
