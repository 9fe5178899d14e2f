/**
 * Loads icons that the page's HTML does not contain: those requested in the same tick are fetched together,
 * and inserted while the browser is idle.
 */
import * as CONSTANTS from '../../constants.ts';
import { createFetch } from '../../lib/fetch/create-fetch.ts';
import { forEachWhenIdle } from '../../lib/idle/on-idle.ts';
import { planRequests } from './batch.ts';
import { symbolId } from './names.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** The fields of the server's response that are used. */
interface IconSet {
  icons: Readonly<Record<string, { body: string; width: number; height: number }>>;
}

/** Dependencies of the loader. */
interface IconLoaderOptions {
  /** URL of the icons' folder, with origin and a trailing slash. */
  folder: string;
  fetch?: typeof fetch;
  /** Returns whether the document has an element with this id. */
  isPresent(id: string): boolean;
  /** Inserts a symbol, as SVG text, into the document. */
  insert(symbol: string): void;
}

/** Creates a function that loads an icon, by its full name, into the document. */
export function createIconLoader({ folder, fetch: send, isPresent, insert }: IconLoaderOptions) {
  const get = createFetch({ baseURL: '/', ...(send && { fetch: send }) });
  // Present, requested, or known to be missing.
  const settled = new Set<string>();
  let waiting: string[] = [];

  const flush = () => {
    const requests = planRequests(waiting, { folder, maxUrlCharacters: CONSTANTS.icon.maxUrlCharacters });
    waiting = [];
    for (const { url, icons } of requests) {
      get<IconSet>(url, { timeout: CONSTANTS.icon.requestTimeout }).then(
        (set) => forEachWhenIdle(icons, (name) => take(name, set)),
        // The page continues without them; the next component that needs one requests it again.
        () => {
          for (const name of icons) settled.delete(name);
        },
      );
    }
  };
  const take = (fullName: string, { icons }: IconSet) => {
    const shape = icons[fullName.slice(fullName.indexOf(':') + 1)];
    if (!shape) return;
    const { body, width, height } = shape;
    insert(`<symbol id="${symbolId(fullName)}" viewBox="0 0 ${width} ${height}">${body}</symbol>`);
  };
  return (fullName: string): void => {
    if (settled.has(fullName)) return;
    settled.add(fullName);
    if (isPresent(symbolId(fullName))) return;
    if (waiting.length === 0) setTimeout(flush, 0);
    waiting.push(fullName);
  };
}

/** Inserts a symbol into an element outside of React's tree, without scripts and external links. */
export function insertSymbol(text: string): void {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, 'image/svg+xml');
  const symbol = parsed.documentElement.firstElementChild;
  if (!symbol || parsed.querySelector('parsererror')) return;
  for (const element of symbol.querySelectorAll('*')) clean(element);
  dynamicSprite().append(document.importNode(symbol, true));
}

function clean(element: Element): void {
  if (/^(?:script|foreignObject|style)$/i.test(element.localName)) element.remove();
  for (const { name, value } of [...element.attributes]) {
    const isExternalLink = /(?:^|:)href$/i.test(name) && !value.startsWith('#');
    if (/^on|^style$/i.test(name) || isExternalLink) element.removeAttribute(name);
  }
}

let dynamic: SVGSVGElement | undefined;

function dynamicSprite(): SVGSVGElement {
  if (!dynamic?.isConnected) {
    dynamic = document.createElementNS(SVG, 'svg');
    dynamic.setAttribute('aria-hidden', 'true');
    dynamic.setAttribute('class', 'hidden');
    document.body.append(dynamic);
  }
  return dynamic;
}
