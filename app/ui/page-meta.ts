/** Title and description of a page. */

/** For a route's `meta`. */
export function pageMeta(title: string, description: string) {
  return [{ title: `${title} | Greenroom` }, { name: 'description', content: description }];
}
