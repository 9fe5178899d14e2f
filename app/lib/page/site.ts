/** The product's name, navigation and other values that pages show. Absent values are those of Greenroom. */
import type { NavigationEntry, PageSwitches, ProductConfig } from '@greenroom/product';
import type { Language } from '../language.ts';

/** The name in titles unless the product has one. */
const DEFAULT_NAME = 'Greenroom';

/** Values of the product for the browser. */
export interface Site {
  name?: string;
  /** Name of a public file. */
  logo?: string;
  /** Path of the stylesheet with the product's colours. */
  stylesheet?: string;
  languages?: readonly Language[];
  navigation?: readonly NavigationEntry[];
  pages?: PageSwitches;
  formats?: ProductConfig['formats'];
}

/** Returns the name of the site in titles. */
export function siteName(site: { name?: string | undefined } | undefined): string {
  return site?.name ?? DEFAULT_NAME;
}

/** Returns the values of a product for the browser; undefined if it sets none. */
export function siteOf(config: ProductConfig | undefined, stylesheet: string | undefined): Site | undefined {
  if (config === undefined) return undefined;
  const { name, logo, languages, navigation, pages, formats } = config;
  const values = { name, logo, stylesheet, languages, navigation, pages, formats };
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return set.length === 0 ? undefined : (Object.fromEntries(set) as Site);
}
