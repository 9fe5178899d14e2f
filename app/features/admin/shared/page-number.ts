/** The page number of a list in the URL. */

const MAX_PAGE = 1_000_000;

/** Parses a page number, counted from 1; absent means 1. Undefined if it is invalid. */
export function parsePageNumber(text: string | null): number | undefined {
  if (text === null) return 1;
  if (!/^[1-9]\d*$/.test(text)) return undefined;
  const page = Number(text);
  return page <= MAX_PAGE ? page : undefined;
}
