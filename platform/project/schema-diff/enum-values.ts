/** The order of new values of enums: they precede the statements that use them. */
import type { Action } from '@supabase/pg-delta/plan';

/**
 * Moves the new values of existing enums to the beginning. They depend on no other statement, and pg-delta does not know
 * which defaults use them.
 */
export function enumValuesFirst<T extends Pick<Action, 'transactionality'>>(actions: readonly T[]): T[] {
  const isEnumValue = ({ transactionality }: T) => transactionality === 'commitBoundaryAfter';
  return [...actions.filter(isEnumValue), ...actions.filter((action) => !isEnumValue(action))];
}
