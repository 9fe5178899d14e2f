/** What signs access tokens. Which keys there are is a setting of the platform: other services verify with them, too. */
import { z } from 'zod';
import type { Values } from '../variable.ts';
import { variable } from '../variable.ts';

const ALGORITHMS = ['ES256', 'HS256'] as const;

/** Environment variables. */
export const keysVariables = {
  GREENROOM_JWT_ALGORITHM: variable(z.enum(ALGORITHMS), ALGORITHMS.join(', '), {
    default: 'ES256',
    description:
      "What signs access tokens: the instance's own key (ES256) or the shared secret (HS256). Configured keys win over both.",
  }),
};

/** Settings. */
export interface KeysSettings {
  /** Of tokens that are signed by the instance itself and not by configured keys. */
  ownAlgorithm: (typeof ALGORITHMS)[number];
}

/** Groups the values. */
export function keysSettings(values: Values<typeof keysVariables>): KeysSettings {
  return { ownAlgorithm: values.GREENROOM_JWT_ALGORITHM };
}
