/** Hooks, as endpoints see them. */

import type { Transaction } from '@greenroom/postgres';
import type { z } from 'zod';
import type { HookName } from '../settings/hooks.ts';
import type { AuthRequest } from './request.ts';

/** The hooks of an instance. */
export interface Hooks {
  isSet(name: HookName): boolean;
  /**
   * Asks a hook that is set. Throws a {@link HookFailure}: what the hook refuses with, or that it could not be asked.
   * @param input without `metadata` @param tx open, where the hook is part of it
   */
  ask<Output>(
    hook: Hook<Output>,
    input: object,
    request: Pick<AuthRequest, 'address'>,
    tx?: Transaction,
  ): Promise<Output>;
  /** Takes as long as the hook usually does, without asking it. */
  pretend(name: HookName): Promise<void>;
  /** A transaction in which hooks may be asked. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** A hook. `calledAs` is what it reads of itself, GoTrue's name for it. */
export interface Hook<Output> {
  name: HookName;
  calledAs: string;
  output: z.ZodType<Output>;
}
