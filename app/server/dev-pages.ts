/** The pages in development: from their sources, with hot reload, in the process of the server. */
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from 'react-router';
import type { DevMiddleware, DevPageOptions, PageHandler, PageOptions } from '../lib/page/page-options.ts';
import type { PageBuild } from '../session/page-build.ts';
import { createIconSource } from '../ui/icons/icon-source.ts';
import { APP_FOLDER } from './build-folder.ts';
import { pageHandler, routerBase } from './page-handler.ts';

const SERVER_BUILD = 'virtual:react-router/server-build';

/** Pages of a bundler that watches the sources. `middleware` serves modules, the handlers pages. */
interface DevPages {
  createHandler(options: PageOptions): PageHandler;
  middleware: DevMiddleware;
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
  return {
    createHandler(current) {
      const router = entry.module.createPageRouter(
        async () => ({ ...(await load()), ...routerBase(current.location) }),
        { options: current, mode: 'development', buildId: 'dev', symbolOf: icons.symbolOf },
      );
      return pageHandler(router, { options: current, icons, isDevelopment: true });
    },
    middleware: (request, response, next) => {
      const { url } = request;
      // The bundler removes its base from the URL; restore it.
      vite.middlewares(request, response, (error?: unknown) => {
        if (url !== undefined) request.url = url;
        next(error);
      });
    },
    close: () => vite.close(),
  };
}
