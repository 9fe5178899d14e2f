/** Where pages come alive in the browser. */
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { isCrawler } from './errors/crawler.ts';
import { exposePayload, recordPageError, toPageError } from './errors/error-payload.ts';
import { MountBoundary } from './errors/mount-boundary.tsx';
import { isAlive, watchStartup } from './errors/startup.ts';
import { StartupErrorDocument } from './errors/startup-error-document.tsx';
import { PageProvider, readPage } from './request/page-context.tsx';
import { watchChunkErrors } from './updates/chunk-errors.ts';

/** A crawler keeps the server's HTML as it is: an error in its browser must never become what it indexes. */
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

/** The router tells about errors of its own and of what it renders; the latter have a place among the components. */
function recordRouterError(error: unknown, { errorInfo }: { errorInfo?: unknown }): void {
  const rendering = isAlive() ? 'rendering' : 'mounting';
  recordPageError(toPageError(error, errorInfo ? rendering : 'navigation'));
}

if (isCrawler(navigator.userAgent)) logForCrawler();
else startTransition(start);
