/** What every component may know about its page, on the server and in the browser alike. */
import { createContext, useContext } from 'react';
import { LANGUAGES, type Language, parseLanguage } from '../language.ts';
import { PAGE_CONFIG_ELEMENT_ID, type PageConfig } from './page-config.ts';

/** See the head of this file. */
export interface Page {
  config: PageConfig;
  /** The settings as they stand in the page. */
  configText: string;
  /** Public origin of the app. */
  origin: string;
  /** Undefined in the browser, where scripts that already ran need none. */
  nonce: string | undefined;
  /** Of the request that made this page. */
  requestId: string;
  /** The router's key of the entry in the history for which that request was made. */
  locationKey: string;
  /** Of all texts on the page. */
  language: Language;
  isProduction: boolean;
  /** On the server: an icon as SVG symbol, by its full name; undefined for one that is not known (yet). */
  symbolOf?: (fullName: string) => string | undefined;
}

const REQUEST_ID_META = 'request-id';
/** The router's name for an entry that it did not make. */
export const FIRST_LOCATION_KEY = 'default';

const PageContext = createContext<Page | undefined>(undefined);
export const PageProvider = PageContext.Provider;

/** The page around a component. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A component needs a PageProvider around it.');
  return page;
}

/** Puts the page's facts into the head, where {@link readPage} finds them. */
export function PageFacts() {
  const { configText, nonce, requestId } = usePage();
  return (
    <>
      <meta name={REQUEST_ID_META} content={requestId} />
      <script
        id={PAGE_CONFIG_ELEMENT_ID}
        type="application/json"
        nonce={nonce}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: settings of the server, with every < escaped
        dangerouslySetInnerHTML={{ __html: configText }}
      />
    </>
  );
}

let page: Page | undefined;

/** The browser's page: what the server put there. */
export function readPage(): Page {
  page ??= parsePage();
  return page;
}

/** As the server wrote it: behind proxies it may be another than the browser's. */
function readOrigin(): string {
  const picture = document.querySelector<HTMLMetaElement>('meta[property="og:image"]')?.content ?? '';
  return URL.canParse(picture) ? new URL(picture).origin : location.origin;
}

function parsePage(): Page {
  const configText = document.getElementById(PAGE_CONFIG_ELEMENT_ID)?.textContent ?? '{}';
  return {
    config: JSON.parse(configText),
    configText,
    nonce: undefined,
    origin: readOrigin(),
    locationKey: window.history.state?.key ?? FIRST_LOCATION_KEY,
    requestId: document.querySelector<HTMLMetaElement>(`meta[name=${REQUEST_ID_META}]`)?.content ?? '',
    language: parseLanguage(document.documentElement.lang) ?? LANGUAGES[0],
    isProduction: import.meta.env.PROD,
  };
}
