/**
 * The catalogue of components on the server: only the guard, since the page itself contains everything that
 * it shows.
 */
import { data } from 'react-router';
import { checkAdminAccess } from '../../../shell/request/admin-access.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';

/** Returns whether the visitor has access. */
export async function loadCatalogue(args: VisitorArgs) {
  const access = await checkAdminAccess(args);
  return data({ access }, { status: access === 'granted' ? 200 : 403 });
}
