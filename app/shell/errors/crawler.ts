/** Which visitors are crawlers: they get pages whole, and no error page in the browser. */

const CRAWLER = /bot\b|chrome-lighthouse|facebookexternalhit|google\b/i;

/** Judges a `User-Agent`; words that end in `bot` or `google` count, whatever their case. */
export function isCrawler(userAgent: string | null | undefined): boolean {
  return !!userAgent && CRAWLER.test(userAgent);
}
