/** The parts of functions that the plugin uses. */
import type { AccessTokens } from '@greenroom/keys';
import type { FairQueue } from '@greenroom/limits';
import type { Functions } from './runtime/functions.ts';
import type { FunctionsConfig } from './settings.ts';

/** The functions of an instance. */
export interface FunctionsInstance {
  config: FunctionsConfig;
  tokens: Pick<AccessTokens, 'verify'>;
  /** Permits of requests that run. */
  queue: FairQueue;
  functions: Pick<Functions, 'find' | 'acquire'>;
}
