/** The pages of an instance. They are prepared again when settings or the product change. */
import { loadSiteBuild } from '@greenroom/app';
import type { Product } from '@greenroom/product';
import type { PreparedSettings } from '@greenroom/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PageSources, pageOptions } from './page-options.ts';
import type { Pages } from './pages.ts';
import type { Config } from './settings.ts';

/** The kind of build that pages come from; `none` serves no pages. */
export type PagesKind = 'built' | 'dev' | 'none';

/** Pages that are mounted last, but respond to malformed URLs before any route is found. */
export interface InstancePages {
  mount(server: FastifyInstance, kind: PagesKind): Promise<void>;
  /** Returns false if no pages are mounted. */
  respond(request: FastifyRequest, reply: FastifyReply): boolean;
  /** Prepares pages with other settings. */
  prepare(config: Config): Promise<PreparedSettings | undefined>;
  applyProduct(product: Product | undefined): Promise<void>;
  close(): Promise<void> | undefined;
}

/** Creates the pages without mounting them. */
export function createInstancePages(initial: PageSources): InstancePages {
  let mounted: Pages | undefined;
  let sources = initial;

  async function prepare(changes: Partial<PageSources>): Promise<PreparedSettings | undefined> {
    const prepared = await mounted?.prepare(pageOptions({ ...sources, ...changes }));
    return (
      prepared && {
        apply() {
          prepared.apply();
          sources = { ...sources, ...changes };
        },
      }
    );
  }

  return {
    async mount(server, kind) {
      if (kind === 'none') return;
      const { registerDevPages, registerPages } = await loadPages();
      const register = kind === 'dev' ? registerDevPages : registerPages;
      mounted = await register(server, pageOptions(sources));
    },
    respond(request, reply) {
      mounted?.respond(request, reply);
      return mounted !== undefined;
    },
    prepare: (config) => prepare({ config }),
    async applyProduct(product) {
      (await prepare({ product }))?.apply();
    },
    close: () => mounted?.close(),
  };
}

/** Starts to load the code of pages. A failure is reported when the code is used. */
export function loadPagesEarly(kind: PagesKind, product: Product | undefined): void {
  if (kind !== 'none') loadPages().catch(() => undefined);
  if (kind === 'built') loadSiteBuild(product).catch(() => undefined);
}

/** Loaded only if pages are served: most of the code to load belongs to React and its router. */
function loadPages() {
  return import('./pages.ts');
}
