/** The pages in development: from their sources, with hot reload, in the process of the server. */
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from 'react-router';
import type { DevMiddleware, DevPageOptions, PageHandler, PageOptions } from '../lib/page/page-options.ts';
import type { PageBuild } from '../session/page-build.ts';
import { createIconSource } from '../ui/icons/icon-source.ts';
import { APP_FOLDER } from './build-folder.ts';
import { pageHandler, routerBase } from './page-handler.ts';
import { siteColours } from './site-colours.ts';
import { withSiteFiles } from './site-files.ts';

const SERVER_BUILD = 'virtual:react-router/server-build';

/** Pages of a bundler that watches the sources. A handler serves modules and pages. */
interface DevPages {
  createHandler(options: PageOptions): Promise<PageHandler>;
  close(): Promise<void>;
}

/** Starts the bundler. Hot reload uses `httpServer` if it is given, otherwise a separate port. */
export async function createDevPages({ httpServer, ...options }: DevPageOptions): Promise<DevPages> {
  const { createServer } = await import('vite');
  const root = fileURLToPath(APP_FOLDER);
  const vite = await createServer({
    root,
    base: options.location.baseURL,
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    server: { middlewareMode: true, ...(httpServer && { hmr: { server: httpServer } }) },
  });
  const load = () => vite.ssrLoadModule(SERVER_BUILD) as Promise<ServerBuild>;
  const { entry } = (await load()) as PageBuild;
  const icons = createIconSource(options.log);
  const middleware: DevMiddleware = (request, response, next) => {
    const { url } = request;
    // The bundler removes its base from the URL; restore it.
    vite.middlewares(request, response, (error?: unknown) => {
      if (url !== undefined) request.url = url;
      next(error);
    });
  };
  return {
    async createHandler(current) {
      const stylesheet = await siteColours(current.product?.config);
      const router = entry.module.createPageRouter(
        async () => ({ ...(await load()), ...routerBase(current.location) }),
        {
          options: current,
          stylesheet: stylesheet?.name,
          mode: 'development',
          buildId: 'dev',
          symbolOf: icons.symbolOf,
        },
      );
      const handler = pageHandler(router, { options: current, icons, isDevelopment: true });
      return withSiteFiles(withMiddleware(middleware, handler), {
        options: current,
        stylesheet,
        isDevelopment: true,
      });
    },
    close: () => vite.close(),
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
