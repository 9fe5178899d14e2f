/** Where pages come alive in the browser. */
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { isCrawler } from './errors/crawler.ts';
import { PageProvider, readPage } from './request/page-context.tsx';

/** A crawler keeps the server's HTML as it is: an error in its browser must never become what it indexes. */
function logForCrawler(): void {
  const message = document.querySelector('[data-error-status]')?.textContent;
  // biome-ignore lint/suspicious/noConsole: the console is the only log that a crawler has
  if (message) console.error(message);
}

function hydrate(): void {
  hydrateRoot(
    document,
    <StrictMode>
      <PageProvider value={readPage()}>
        <HydratedRouter />
      </PageProvider>
    </StrictMode>,
  );
}

if (isCrawler(navigator.userAgent)) logForCrawler();
else startTransition(hydrate);
