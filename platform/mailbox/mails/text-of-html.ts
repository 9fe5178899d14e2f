/**
 * A plain text of a mail that has only HTML, for codes and searches; its layout does not matter. One pass over the input:
 * a regular expression would take quadratic time for hostile mails.
 */

/** Elements whose content is not shown. */
const HIDDEN = new Set(['style', 'script', 'title', 'head', 'template']);
/** Elements that begin and end lines. */
const BLOCKS = new Set([
  'br',
  'p',
  'div',
  'tr',
  'li',
  'table',
  'ul',
  'ol',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);
const TAG_NAME = /<\/?([a-z][a-z0-9]*)/iy;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Returns the text between tags. */
export function textOfHtml(html: string): string {
  return withoutTags(html)
    .replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,10});/gi, (entity, name: string) => decoded(name) ?? entity)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

function withoutTags(html: string): string {
  const lower = html.toLowerCase();
  let text = '';
  let position = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', position)) {
    text += html.slice(position, open);
    TAG_NAME.lastIndex = open;
    const name = TAG_NAME.exec(lower)?.[1];
    const end = name === undefined ? endOfOther(html, open) : endOfElement(lower, open, name);
    if (end === -1) return text;
    if (end === open + 1) text += '<';
    else if (name !== undefined && BLOCKS.has(name)) text += '\n';
    position = end;
  }
  return text + html.slice(position);
}

/** The end of a comment or declaration; the position after `<` if it begins neither. */
function endOfOther(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return endAfter(html, '-->', open);
  return html[open + 1] === '!' || html[open + 1] === '?' ? endAfter(html, '>', open) : open + 1;
}

/** The end of a tag; that of the whole element if its content is not shown. */
function endOfElement(lower: string, open: number, name: string): number {
  const isHidden = HIDDEN.has(name) && lower[open + 1] !== '/';
  const last = isHidden ? lower.indexOf(`</${name}`, open) : open;
  return last === -1 ? -1 : endAfter(lower, '>', last);
}

function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

function decoded(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
