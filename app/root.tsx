/** The document around every page, its data, and the error page in place of a failed page. */
import type { ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from 'react-router';
import type { Route } from './+types/root';
import './app.css';
import type { Language } from './lib/language.ts';
import { Optional } from './lib/optional.tsx';
import { PageMetadata, usePage } from './lib/page/page-context.tsx';
import { payloadLoader, payloadMiddleware } from './lib/payload/client-payload.ts';
import type { ClientSession } from './session/client-session.ts';
import { ErrorPage } from './shell/errors/error-page.tsx';
import { Frame } from './shell/frame.tsx';
import { languageContext, sessionContext, siteContext } from './shell/request/contexts.server.ts';
import { visitMiddleware } from './shell/request/middleware.server.ts';
import { PageEffects } from './shell/request/page-effects.tsx';
import { siteNameOf } from './texts/use-texts.ts';
import { COLOUR_MODE_SCRIPT, FORCED_COLOUR_ATTRIBUTE } from './ui/colour-mode.ts';
import { IconSprite } from './ui/icons/icon-sprite.tsx';
import { SiteHead } from './ui/site-head.tsx';
import { useForcedColourMode } from './ui/use-colour-mode.ts';

/** Data that every page has. */
interface RootData extends ClientSession {
  language: Language;
  /** Name of the product, if it has one. */
  siteName?: string;
}

const SIGNED_OUT: ClientSession = { session: null, user: null };

export const middleware = [visitMiddleware];
export const clientMiddleware = [payloadMiddleware];
export const clientLoader = payloadLoader<typeof loader>('root');

export function loader({ context }: Route.LoaderArgs): RootData {
  const session = context.get(sessionContext);
  const clientSession = session ? { session: session.summary, user: session.claims } : SIGNED_OUT;
  const name = context.get(siteContext).options.product?.config.name;
  return { ...clientSession, language: context.get(languageContext), ...(name && { siteName: name }) };
}

/** Pages and errors have titles of their own. */
export function meta({ error, matches }: Route.MetaArgs) {
  return error ? [{ name: 'robots', content: 'noindex' }] : [{ title: siteNameOf(matches) }];
}

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, language } = usePage();
  const forced = useForcedColourMode();
  return (
    <html lang={language} suppressHydrationWarning {...(forced && { [FORCED_COLOUR_ATTRIBUTE]: forced })}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: constant; must run before the first paint
          dangerouslySetInnerHTML={{ __html: COLOUR_MODE_SCRIPT }}
        />
        <PageMetadata />
        <SiteHead />
        <Meta />
        {/* Styles come from this origin and need no nonce. */}
        <Links nonce="" />
      </head>
      <body>
        {children}
        <IconSprite />
        <Optional>
          <PageEffects />
        </Optional>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <Frame loaded={loaderData}>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} />;
  return (
    // The error may come from the frame itself.
    <Optional fallback={page}>
      <Frame loaded={useRouteLoaderData<typeof loader>('root')}>{page}</Frame>
    </Optional>
  );
}
