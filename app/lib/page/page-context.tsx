/** Data of the page that components need, on the server and in the browser. */
import { createContext, useContext } from 'react';
import { LANGUAGES, type Language, parseLanguage } from '../language.ts';
import { PAGE_CONFIG_ELEMENT_ID, type PageConfig } from './page-config.ts';

/** Data of the current page. */
export interface Page {
  config: PageConfig;
  /** The settings as they are written in the page. */
  configText: string;
  /** Public origin of the app. */
  origin: string;
  /**
   * Nonce of the content security policy. Undefined in the browser, where scripts that already ran need
   * none.
   */
  nonce: string | undefined;
  /** Id of the request that rendered this page. */
  requestId: string;
  /** The router's key of the history entry for which that request was made. */
  locationKey: string;
  /** Language of all texts on the page. */
  language: Language;
  isProduction: boolean;
  /**
   * On the server: returns an icon as SVG symbol by its full name; undefined if the icon is unknown or not
   * loaded yet.
   */
  symbolOf?: (fullName: string) => string | undefined;
}

const REQUEST_ID_META = 'request-id';
/** The router's key for a history entry that it did not create. */
export const FIRST_LOCATION_KEY = 'default';

const PageContext = createContext<Page | undefined>(undefined);
export const PageProvider = PageContext.Provider;

/** Returns the data of the page around a component. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A component needs a PageProvider around it.');
  return page;
}

/** Writes the data of the page into the head, where {@link readPage} finds them. */
export function PageMetadata() {
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

/** Returns the data of the page in the browser, as the server wrote them. */
export function readPage(): Page {
  page ??= parsePage();
  return page;
}

/** Returns the origin as the server wrote it: behind proxies it may differ from the browser's. */
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
