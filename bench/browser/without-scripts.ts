/** Script elements and module preloads; the router and React each write them in one form. */
const SCRIPTS = /<script\b[^>]*>[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g;

/** Removes the scripts of a page, for a reference. Leaves markup and styles unchanged. */
export function withoutScripts(html: string): string {
  return html.replace(SCRIPTS, '');
}
