/** What search engines and other sites may know of a page: its title, one sentence, and whether it may be listed. */
import { SITE_NAME } from './site-name.ts';

/** A page in words. */
interface PageWords {
  title: string;
  description: string;
  /** Behind sign-in, or different for everybody: not for search engines. */
  isPrivate?: boolean;
}

/** For a route's `meta`. What is the same on every page is in `site-head.tsx`. */
export function pageMeta({ title, description, isPrivate = false }: PageWords) {
  const fullTitle = `${title} | ${SITE_NAME}`;
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { name: 'robots', content: isPrivate ? 'noindex' : 'index, follow' },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
  ];
}
