/** A page as it would be if it had no scripts: what a reference shows. */

/** Script elements and preloads of modules; the router and React write both in one form each. */
const SCRIPTS = /<script\b[^>]*>[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g;

/** Leaves markup and styles as they are. */
export function withoutScripts(html: string): string {
  return html.replace(SCRIPTS, '');
}
