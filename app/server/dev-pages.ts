/** The pages in development: from their sources, with hot reload, in the process of the server. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Product } from '@greenroom/product';
import type { ServerBuild } from 'react-router';
import type { ViteDevServer } from 'vite';
import type { DevMiddleware, DevPageOptions, PageHandler, PageOptions } from '../lib/page/page-options.ts';
import type { ServerTask } from '../lib/server-hooks.ts';
import type { PageBuild } from '../session/page-build.ts';
import { createIconSource } from '../ui/icons/icon-source.ts';
import { APP_FOLDER } from './build-folder.ts';
import { pageHandler, routerBase } from './page-handler.ts';
import { siteColours } from './site-colours.ts';
import { withSiteFiles } from './site-files.ts';

const SERVER_BUILD = 'virtual:react-router/server-build';
/** Several files that are added at once restart the bundler once. */
const DEBOUNCE_MS = 200;

/** Pages of a bundler that watches the sources. A handler serves modules and pages. */
interface DevPages {
  createHandler(options: PageOptions): Promise<PageHandler>;
  /** Loads the tasks of the product. */
  loadTasks(): Promise<readonly ServerTask[]>;
  close(): Promise<void>;
}

/** Starts the bundler. Hot reload uses `httpServer` if it is given, otherwise a separate port. */
export async function createDevPages({ httpServer, ...options }: DevPageOptions): Promise<DevPages> {
  const bundler = await startBundler({ httpServer, ...options });
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
      const { entry } = await bundler.load();
      const router = entry.module.createPageRouter(async () => ({ ...(await bundler.load()), ...base }), {
        options: current,
        stylesheet: stylesheet?.name,
        mode: 'development',
        buildId: 'dev',
        symbolOf: icons.symbolOf,
      });
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
      return withSiteFiles(withMiddleware(middleware, handler), {
        options: current,
        stylesheet,
        isDevelopment: true,
      });
    },
    loadTasks: async () => (await bundler.load()).entry.module.hooks.tasks ?? [],
    close: () => bundler.close(),
  };
}

/** A bundler that is replaced when files of the product are added or removed. */
interface Bundler {
  /** Waits for a restart. Rejects if it failed; the next change of files tries again. */
  current(): Promise<ViteDevServer>;
  load(): Promise<PageBuild>;
  close(): Promise<void>;
}

async function startBundler(options: DevPageOptions): Promise<Bundler> {
  const { product, log } = options;
  let running = createBundler(options);
  const watcher = watchNames(product, () => {
    log.info({}, 'files of the product were added or removed; the pages are loaded again');
    running = running
      .then((vite) => vite.close())
      .catch(() => undefined)
      .then(() => createBundler(options));
    running.catch((error: unknown) => log.error({ err: error }, 'the pages cannot be loaded'));
  });
  await running;
  return {
    current: () => running,
    async load() {
      const vite = await running;
      return (await vite.ssrLoadModule(SERVER_BUILD)) as ServerBuild as PageBuild;
    },
    async close() {
      watcher?.close();
      await (await running.catch(() => undefined))?.close();
    },
  };
}

async function createBundler({ httpServer, location, product }: DevPageOptions): Promise<ViteDevServer> {
  // The configuration of the bundler and of the routes read it; they are evaluated in this process.
  if (product?.hasPages && product.appFolder) process.env.GREENROOM_PRODUCT_APP = product.appFolder;
  else delete process.env.GREENROOM_PRODUCT_APP;
  const { createServer } = await import('vite');
  return createServer({
    root: fileURLToPath(APP_FOLDER),
    base: location.baseURL,
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    server: { middlewareMode: true, ...(httpServer && { ws: { server: httpServer } }) },
  });
}

/** Routes and replaced parts are known by their names; changes of contents are hot reloads. */
function watchNames(product: Product | undefined, onChange: () => void): FSWatcher | undefined {
  if (!product?.hasPages || product.appFolder === undefined) return undefined;
  const folder = product.appFolder;
  let timer: NodeJS.Timeout | undefined;
  let known = namesIn(folder);
  return watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // An editor that writes by renaming changes no names.
      const names = namesIn(folder);
      if (names !== known) onChange();
      known = names;
    }, DEBOUNCE_MS);
  });
}

function namesIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(?:tsx?|jsx?|mdx?)$/.test(name))
    .toSorted()
    .join('\n');
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
