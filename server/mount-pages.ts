/** Loads the pages of an instance, and mounts them on its server. */
import { loadSiteBuild, type PageOptions } from '@greenroom/app';
import type { FastifyInstance } from 'fastify';
import type { Pages } from './pages.ts';

/** `built` serves the production build, `dev` the sources with hot reload, `none` no pages. */
export type PagesKind = 'built' | 'dev' | 'none';

/** Starts to load the code of pages: most of the code of a start belongs to React and its router. */
export function loadPagesEarly(kind: PagesKind): void {
  if (kind !== 'none') loadPages().catch(() => undefined);
  if (kind === 'built') loadSiteBuild().catch(() => undefined);
}

/** Mounts pages. Returns undefined without pages. */
export async function mountPages(
  server: FastifyInstance,
  kind: PagesKind,
  options: () => PageOptions,
): Promise<Pages | undefined> {
  if (kind === 'none') return undefined;
  const { registerDevPages, registerPages } = await loadPages();
  return kind === 'dev' ? registerDevPages(server, options()) : registerPages(server, options());
}

function loadPages() {
  return import('./pages.ts');
}
