/** The interface of hooks for endpoints. */

import type { Transaction } from '@greenroom/postgres';
import type { z } from 'zod';
import type { HookName } from '../settings/hooks.ts';
import type { AuthRequest } from './request.ts';

/** The hooks of an instance. */
export interface Hooks {
  isSet(name: HookName): boolean;
  /**
   * Calls a hook that is set. Throws a `HookFailure` if the hook rejects the request or cannot be reached.
   * @param input the payload without `metadata`
   * @param tx the open transaction, if the hook call is part of one
   */
  call<Output>(
    hook: Hook<Output>,
    input: object,
    request: Pick<AuthRequest, 'address'>,
    tx?: Transaction,
  ): Promise<Output>;
  /** Waits as long as the hook usually takes, without calling it. Prevents timing attacks. */
  simulateLatency(name: HookName): Promise<void>;
  /** Runs a transaction in which hooks may be called. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** A hook. `payloadName` is GoTrue's name for it, which the payload contains. */
export interface Hook<Output> {
  name: HookName;
  payloadName: string;
  output: z.ZodType<Output>;
}
