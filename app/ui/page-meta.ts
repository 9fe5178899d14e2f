/** Metadata for search engines and other sites: title, description, and whether to index the page. */
import { siteNameOf } from '../texts/use-texts.ts';

/** Texts of a page. */
interface PageTexts {
  title: string;
  description: string;
  /** The page requires sign-in or differs by user: search engines must not index it. */
  isPrivate?: boolean;
  /** The matches that the route's `meta` receives; they contain the name of the site. */
  matches: Parameters<typeof siteNameOf>[0];
}

/**
 * Returns the entries for a route's `meta`. Metadata that is the same on every page is in `site-head.tsx`.
 */
export function pageMeta({ title, description, isPrivate = false, matches }: PageTexts) {
  const fullTitle = `${title} | ${siteNameOf(matches)}`;
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { name: 'robots', content: isPrivate ? 'noindex' : 'index, follow' },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
  ];
}
