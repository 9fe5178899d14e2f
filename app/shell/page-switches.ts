/** The built-in pages that a product can switch off. */
import type { PageSwitches } from '@greenroom/product';

/** Patterns of the routes by the names of the switches. */
const ROUTES: Readonly<Record<keyof PageSwitches, RegExp>> = {
  account: /^account(?:\/|$)/,
  admin: /^admin(?:\/|$)/,
  consent: /^oauth\/consent$/,
};

/** Returns whether the page with a route's pattern, without a slash at its start, is switched off. */
export function isSwitchedOff(pattern: string, switches: PageSwitches | undefined): boolean {
  if (switches === undefined) return false;
  const names = Object.keys(ROUTES) as (keyof PageSwitches)[];
  return names.some((name) => !switches[name] && ROUTES[name].test(pattern));
}
