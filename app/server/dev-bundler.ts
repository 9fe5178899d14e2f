/** The bundler in development, which loads pages from their sources and follows the files of a product. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Product } from '@greenroom/product';
import type { ServerBuild } from 'react-router';
import type { ViteDevServer } from 'vite';
import { takeRouteProblem } from '../bundle/product/product-folder.ts';
import type { DevPageOptions } from '../lib/page/page-options.ts';
import type { PageBuild } from '../session/page-build.ts';
import { APP_FOLDER } from './build-folder.ts';
import { describeProblem } from './dev-problem.ts';

const SERVER_BUILD = 'virtual:react-router/server-build';
/** Several files that change at once are handled together. */
const DEBOUNCE_MS = 200;

/** A bundler that is replaced when files of the product are added or removed. */
export interface DevBundler {
  /** Waits for a restart. */
  current(): Promise<ViteDevServer>;
  /**
   * Returns the pages. Rejects with a `PageProblem` if a file has a mistake; browsers reload when it is corrected. Each mistake
   * is logged once.
   */
  load(): Promise<PageBuild>;
  close(): Promise<void>;
}

/** A mistake in the files of the pages. The message is for their author. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
}

/** A bundler, and the mistake in the routes that it was started with. */
interface Running {
  vite: ViteDevServer;
  routeProblem: unknown;
}

/** Starts the bundler. */
export async function startDevBundler(options: DevPageOptions): Promise<DevBundler> {
  const { product, log } = options;
  let running = createBundler(options);
  let problem: string | undefined;

  const load = async (): Promise<PageBuild> => {
    const { vite, routeProblem } = await running;
    try {
      if (routeProblem !== undefined) throw routeProblem;
      const build = (await vite.ssrLoadModule(SERVER_BUILD)) as ServerBuild as PageBuild;
      problem = undefined;
      return build;
    } catch (error) {
      const message = describeProblem(error, product?.appFolder);
      if (message !== problem) log.error({}, `the pages cannot be loaded: ${message}`);
      problem = message;
      throw new PageProblem(message);
    }
  };
  const restart = () => {
    log.info({}, 'files of the product were added or removed; the pages are loaded again');
    running = running.then(({ vite }) => vite.close()).then(() => createBundler(options));
    running.catch((error: unknown) =>
      log.error({ err: error }, 'the bundler of the pages cannot be started'),
    );
  };
  const reloadIfMended = async () => {
    if (problem === undefined) return;
    await load();
    (await running).vite.environments.client.hot.send({ type: 'full-reload' });
  };
  const watcher = watchFiles(product, {
    onNames: restart,
    // A mistake that remains is reported by the next request.
    onContents: () => void reloadIfMended().catch(() => undefined),
  });
  await running;
  return {
    current: async () => (await running).vite,
    load,
    async close() {
      watcher?.close();
      await (await running.catch(() => undefined))?.vite.close();
    },
  };
}

async function createBundler({ httpServer, location, product }: DevPageOptions): Promise<Running> {
  // The configuration of the bundler and of the routes read it; they are evaluated in this process.
  if (product?.hasPages && product.appFolder) process.env.GREENROOM_PRODUCT_APP = product.appFolder;
  else delete process.env.GREENROOM_PRODUCT_APP;
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: fileURLToPath(APP_FOLDER),
    base: location.baseURL,
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    server: { middlewareMode: true, ...(httpServer && { ws: { server: httpServer } }) },
  });
  return { vite, routeProblem: takeRouteProblem() };
}

interface FileListeners {
  /** Files were added or removed. Routes and replaced parts are known by their names. */
  onNames(): void;
  /** The content of a file may have changed; the bundler follows it. */
  onContents(): void;
}

function watchFiles(product: Product | undefined, listeners: FileListeners): FSWatcher | undefined {
  if (!product?.hasPages || product.appFolder === undefined) return undefined;
  const folder = product.appFolder;
  let timer: NodeJS.Timeout | undefined;
  let known = namesIn(folder);
  return watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // An editor that writes by renaming changes no names.
      const names = namesIn(folder);
      if (names === known) listeners.onContents();
      else listeners.onNames();
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
