/** The pages in development: from their sources, with hot reload, in the process of the server. */
import type {
  DevMiddleware,
  DevPageOptions,
  PageHandler,
  PageLog,
  PageOptions,
} from '../lib/page/page-options.ts';
import type { ServerTask } from '../lib/server-hooks.ts';
import type { PageEntry, PageRouter } from '../session/page-build.ts';
import { createIconSource } from '../ui/icons/icon-source.ts';
import { type DevBundler, PageProblem, startDevBundler } from './dev-bundler.ts';
import { sendProblem } from './dev-problem.ts';
import { pageHandler, routerBase } from './page-handler.ts';
import { siteColours } from './site-colours.ts';
import { withSiteFiles } from './site-files.ts';

/** Pages of a bundler that watches the sources. A handler serves modules and pages. */
interface DevPages {
  createHandler(options: PageOptions): Promise<PageHandler>;
  /** Loads the tasks of the product. */
  loadTasks(): Promise<readonly ServerTask[]>;
  close(): Promise<void>;
}

/** Starts the bundler. Hot reload uses `httpServer` if it is given, otherwise a separate port. */
export async function createDevPages({ httpServer, ...options }: DevPageOptions): Promise<DevPages> {
  const bundler = await startDevBundler({ httpServer, ...options });
  const icons = createIconSource(options.log);
  const middleware: DevMiddleware = (request, response, next) => {
    const { url } = request;
    // The bundler removes its base from the URL; restore it.
    bundler.current().then(({ middlewares }) => {
      middlewares(request, response, (error?: unknown) => {
        if (url !== undefined) request.url = url;
        next(error);
      });
    }, next);
  };
  return {
    async createHandler(current) {
      const stylesheet = await siteColours(current.product?.config);
      const base = routerBase(current.location);
      const build = async () => ({ ...(await bundler.load()), ...base });
      const router = newestRouter(bundler, (entry) =>
        entry.createPageRouter(build, {
          options: current,
          stylesheet: stylesheet?.name,
          mode: 'development',
          buildId: 'dev',
          symbolOf: icons.symbolOf,
        }),
      );
      const isEndpoint = async (path: string) => {
        const build = await bundler.load();
        return build.entry.module.createEndpointMatcher(build, base.basename)(path);
      };
      const handler = pageHandler(router, {
        options: current,
        icons,
        isEndpoint: current.product?.hasPages ? isEndpoint : undefined,
        isDevelopment: true,
      });
      const pages = withProblems(handler, bundler, current.location.baseURL);
      return withSiteFiles(withMiddleware(middleware, pages), {
        options: current,
        stylesheet,
        isDevelopment: true,
      });
    },
    loadTasks: () => tasksOf(bundler, options.log),
    close: () => bundler.close(),
  };
}

/** A mistake in a page does not stop the start, but then there are no tasks. */
async function tasksOf(bundler: DevBundler, log: PageLog): Promise<readonly ServerTask[]> {
  try {
    return (await bundler.load()).entry.module.hooks.tasks ?? [];
  } catch (error) {
    if (!(error instanceof PageProblem)) throw error;
    log.warn({}, 'tasks of the product run only after the next start');
    return [];
  }
}

/**
 * Returns a router with the newest code of the server. A restarted bundler loads all modules again, and those of one bundler do not
 * work with the others.
 */
function newestRouter(bundler: DevBundler, create: (entry: PageEntry) => PageRouter): PageRouter {
  let known: { entry: PageEntry; router: PageRouter } | undefined;
  return async (request, visit) => {
    const entry = (await bundler.load()).entry.module;
    if (known?.entry !== entry) known = { entry, router: create(entry) };
    return known.router(request, visit);
  };
}

/** Responds with a mistake in the files of the pages, if there is one, instead of a page. */
function withProblems(handler: PageHandler, bundler: DevBundler, baseURL: string): PageHandler {
  return async (request, response, details) => {
    const problem = await bundler.load().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (problem === undefined) return handler(request, response, details);
    if (!(problem instanceof PageProblem)) throw problem;
    sendProblem(response, problem.message, baseURL);
  };
}

function withMiddleware(middleware: DevMiddleware, handler: PageHandler): PageHandler {
  return (request, response, details) =>
    new Promise((resolve, reject) => {
      response.once('close', resolve);
      middleware(request, response, (error) => {
        if (error) reject(error);
        else handler(request, response, details).then(resolve, reject);
      });
    });
}
