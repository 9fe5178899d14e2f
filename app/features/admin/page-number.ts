/** The page of a list, as the address names it. */

const MAX_PAGE = 1_000_000;

/** Reads a page number, counted from 1; absent is 1. Undefined where the text is none. */
export function parsePageNumber(text: string | null): number | undefined {
  if (text === null) return 1;
  if (!/^[1-9]\d*$/.test(text)) return undefined;
  const page = Number(text);
  return page <= MAX_PAGE ? page : undefined;
}
