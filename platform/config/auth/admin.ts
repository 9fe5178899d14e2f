/** Settings of the admin API. */
import type { Values } from '../variable.ts';
import { booleanVariable } from '../variable.ts';

/** Environment variables. */
export const adminVariables = {
  GOTRUE_EXPERIMENTAL_CURSOR_PAGINATION_ENABLED: booleanVariable({
    default: 'false',
    description: 'The list of users is paged by cursor where no page is asked for.',
  }),
};

/** Settings. */
export interface AdminSettings {
  cursorPagination: boolean;
}

/** Groups the values. */
export function adminSettings(values: Values<typeof adminVariables>): AdminSettings {
  return { cursorPagination: values.GOTRUE_EXPERIMENTAL_CURSOR_PAGINATION_ENABLED };
}
