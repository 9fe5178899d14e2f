/** The catalogue of components on the server: only the guard, since all it shows is in the page itself. */
import { data } from 'react-router';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { judgeVisitor } from './guard.server.ts';

/** What the page shows: everything, or why not. */
export async function loadCatalogue(args: VisitorArgs) {
  const access = await judgeVisitor(args);
  return data({ access }, { status: access === 'granted' ? 200 : 403 });
}
