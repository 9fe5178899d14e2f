/** Entry of the browser: hydrates the page. */
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { exposePayload, recordPageError, toPageError } from './lib/error-payload.ts';
import { watchChunkErrors } from './lib/modules/chunk-errors.ts';
import { PageProvider, readPage } from './lib/page/page-context.tsx';
import { isCrawler } from './shell/errors/crawler.ts';
import { MountBoundary } from './shell/errors/mount-boundary.tsx';
import { isHydrated, watchStartup } from './shell/errors/startup.ts';
import { StartupErrorDocument } from './shell/errors/startup-error-document.tsx';

/** For crawlers, the server's HTML stays unchanged: they must never index an error of their own browser. */
function logForCrawler(): void {
  const message = document.querySelector('[data-error-status]')?.textContent;
  // biome-ignore lint/suspicious/noConsole: the console is the only log that a crawler has
  if (message) console.error(message);
}

function start(): void {
  exposePayload(window);
  watchStartup(window);
  watchChunkErrors(window);
  try {
    hydrate();
  } catch (error) {
    recordPageError(toPageError(error, 'startup'));
    createRoot(document).render(<StartupErrorDocument />);
  }
}

function hydrate(): void {
  hydrateRoot(
    document,
    <StrictMode>
      <MountBoundary>
        <PageProvider value={readPage()}>
          <HydratedRouter onError={recordRouterError} />
        </PageProvider>
      </MountBoundary>
    </StrictMode>,
  );
}

/** The router reports its own errors and those of rendering; only the latter have `errorInfo`. */
function recordRouterError(error: unknown, { errorInfo }: { errorInfo?: unknown }): void {
  const rendering = isHydrated() ? 'rendering' : 'mounting';
  recordPageError(toPageError(error, errorInfo ? rendering : 'navigation'));
}

if (isCrawler(navigator.userAgent)) logForCrawler();
else startTransition(start);
