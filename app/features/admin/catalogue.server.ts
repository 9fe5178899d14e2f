/**
 * The catalogue of components on the server: only the guard, since the page itself contains everything that
 * it shows.
 */
import { data } from 'react-router';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { checkAdminAccess } from './guard.server.ts';

/** Returns whether the visitor has access. */
export async function loadCatalogue(args: VisitorArgs) {
  const access = await checkAdminAccess(args);
  return data({ access }, { status: access === 'granted' ? 200 : 403 });
}
