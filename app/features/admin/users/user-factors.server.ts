/** A user's second factors in the admin area: lists them, and removes one that the user has lost. */
import type { Factor, SupabaseClient } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { isBackendFailure } from '../../../session/backend-failure.ts';
import { backendUnreachable, invalidRoute, refused } from '../../../session/page-errors.ts';
import { siteContext } from '../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { userFactorsPath } from './user-factors-path.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A verified factor. `createdAt` is in seconds since 1970. */
export interface UserFactor {
  id: string;
  kind: string;
  name: string;
  createdAt: number;
}

/** A user with their factors. */
export interface UserFactors {
  id: string;
  /** Email address, phone number or id. */
  name: string;
  factors: UserFactor[];
}

/** Loads a user's factors. Throws a 404 for an unknown user, and a 503 if the backend does not respond. */
export async function loadUserFactors(args: VisitorArgs, userId: string): Promise<UserFactors> {
  const client = await administration(args);
  if (!UUID.test(userId)) throw invalidRoute(pagePath(args));
  const { data: found, error } = await client.auth.admin.getUserById(userId);
  if (error && isBackendFailure(error)) throw backendUnreachable();
  const { user } = found;
  if (!user) throw invalidRoute(pagePath(args));
  const factors = (user.factors ?? []).filter(({ status }) => status === 'verified').map(toUserFactor);
  return { id: user.id, name: user.email || user.phone || user.id, factors };
}

function toUserFactor({ id, factor_type, friendly_name, created_at }: Factor): UserFactor {
  return {
    id,
    kind: factor_type,
    name: friendly_name ?? '',
    createdAt: Math.floor(Date.parse(created_at) / 1000),
  };
}

/**
 * Removes the factor that the form names. The caller has checked the visitor's access. A missing factor is
 * no error.
 */
export async function removeUserFactor(args: VisitorArgs, form: FormData): Promise<Response> {
  const userId = String(form.get('userId') ?? '');
  const id = String(form.get('factorId') ?? '');
  if (!UUID.test(userId) || !UUID.test(id)) throw refused({ status: 400, code: 'unclearForm' });
  const client = await administration(args);
  const { error } = await client.auth.admin.mfa.deleteFactor({ userId, id });
  if (error && isBackendFailure(error)) throw backendUnreachable();
  return redirect(userFactorsPath(userId));
}

async function administration(args: VisitorArgs): Promise<SupabaseClient> {
  const client = await args.context.get(siteContext).backend.forAdministration();
  if (!client) throw invalidRoute(pagePath(args));
  return client;
}
