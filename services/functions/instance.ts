/** The parts of functions that the plugin uses. */
import type { AccessTokens } from '@greenroom/keys';
import { createFairQueue, type FairQueue } from '@greenroom/limits';
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

/** Creates the instance. Requests beyond the limits are refused at once instead of waiting. */
export function createInstance(parts: Omit<FunctionsInstance, 'queue'>): FunctionsInstance {
  const { maxRequests: max, maxRequestsPerClient: maxPerClient } = parts.config;
  return { ...parts, queue: createFairQueue({ max, maxPerClient, maxWaiting: 0, maxWaitingPerClient: 0 }) };
}
