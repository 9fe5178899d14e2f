/** Settings of the data API where it stands alone. What it has in common with PostgREST may have the names used there. */

import { z } from 'zod';
import { platformVariables } from './platform.ts';
import { type Values, variable } from './variable.ts';

/** PostgREST's levels, least first. They are called as ours are, but for the first. */
const LOG_LEVELS = ['crit', 'error', 'warn', 'info', 'debug'] as const;

/** Environment variables that count only there: PostgREST's names for some of ours. */
export const standaloneVariables = {
  PGRST_DB_URI: {
    ...platformVariables.DATABASE_URL,
    description: 'DATABASE_URL, where the data API stands alone and that one is not set.',
  },
  PGRST_SERVER_HOST: {
    ...platformVariables.HOST,
    default: undefined,
    description: 'HOST, where the data API stands alone and that one is not set.',
  },
  PGRST_SERVER_PORT: {
    ...platformVariables.PORT,
    default: undefined,
    description: 'PORT, where the data API stands alone and that one is not set.',
  },
  PGRST_LOG_LEVEL: variable(
    z.enum(LOG_LEVELS).transform((level) => (level === 'crit' ? 'fatal' : level)),
    LOG_LEVELS.join(', '),
    {
      default: undefined,
      description: 'LOG_LEVEL, where the data API stands alone and that one is not set.',
    },
  ),
};

/** Settings as text, with our names for what has only PostgREST's. */
export function withOwnNames(
  source: Readonly<Record<string, string | undefined>>,
  values: Values<typeof standaloneVariables>,
): Readonly<Record<string, string | undefined>> {
  return {
    ...source,
    DATABASE_URL: source.DATABASE_URL || values.PGRST_DB_URI,
    HOST: source.HOST || values.PGRST_SERVER_HOST,
    PORT: source.PORT || values.PGRST_SERVER_PORT?.toString(),
    LOG_LEVEL: source.LOG_LEVEL || values.PGRST_LOG_LEVEL,
  };
}
