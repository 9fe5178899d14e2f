/** Detects crawlers: they get whole pages, and no error page in the browser. */

const CRAWLER = /bot\b|chrome-lighthouse|facebookexternalhit|google\b/i;

/**
 * Returns whether a `User-Agent` is that of a crawler; words that end in `bot` or `google` count, ignoring
 * case.
 */
export function isCrawler(userAgent: string | null | undefined): boolean {
  return !!userAgent && CRAWLER.test(userAgent);
}
