/**
 * The document for a page that could not hydrate in the browser. It depends on nothing that may itself have
 * failed: no settings, no router, no session.
 */
import { useState } from 'react';
import { LANGUAGES, parseLanguage } from '../../lib/language.ts';
import { siteName } from '../../lib/page/site.ts';
import { startupTexts } from '../../texts/startup.ts';

/** Reads language, styles and request id from the server's document. */
function readServerDocument() {
  const { lang, className } = document.documentElement;
  const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(
    ({ href }) => href,
  );
  const requestId = document.querySelector<HTMLMetaElement>('meta[name=request-id]')?.content;
  const named = document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content;
  const site = siteName({ name: named });
  return { language: parseLanguage(lang) ?? LANGUAGES[0], className, styles, requestId, site };
}

/** Shows the startup error with the styles of the server's document. */
export function StartupErrorDocument() {
  const [{ language, className, styles, requestId, site }] = useState(readServerDocument);
  const texts = startupTexts[language];
  return (
    <html lang={language} className={className}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`500 - ${texts.title} | ${site}`}</title>
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body>
        <main
          data-error-status="500"
          className="mx-auto grid min-h-dvh max-w-xl content-center justify-items-center gap-3 p-4 text-center"
        >
          <p className="text-8xl font-semibold tracking-tighter text-primary-ink tabular-nums">500</p>
          <h1 className="text-2xl font-semibold tracking-tighter">{texts.title}</h1>
          <p className="text-ink-muted">{texts.message}</p>
          {requestId && <p className="text-sm text-ink-muted">{texts.requestId(requestId)}</p>}
          <button
            type="button"
            onClick={() => location.reload()}
            className="font-medium text-primary-ink underline underline-offset-4"
          >
            {texts.reload}
          </button>
        </main>
      </body>
    </html>
  );
}
