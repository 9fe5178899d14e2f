/** Converts HTML mails to plain text, for clients without HTML. */

const DROPPED = /<!--[\s\S]*?-->|<(head|style|script|title)\b[\s\S]*?<\/\1\s*>/gi;
const LINK = /<a\b[^>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))[^>]*>([\s\S]*?)<\/a\s*>/gi;
const BREAK = /<br\b[^>]*>/gi;
const BLOCK = /<\/?(?:p|div|h[1-6]|ul|ol|table|tr|blockquote|hr|section|header|footer|center|pre)\b[^>]*>/gi;
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '\u00a9',
  ndash: '\u2013',
  mdash: '\u2014',
  hellip: '\u2026',
};

/** Keeps the visible text and the targets of links. */
export function plainTextOf(html: string): string {
  const text = html
    .replace(DROPPED, '')
    .replace(/\s+/g, ' ')
    .replace(LINK, (_all, double = '', single = '', bare = '', label = '') => {
      const url = double || single || bare;
      return decodeEntities(url) === decodeEntities(label).trim() ? url : `${label} ( ${url} )`;
    })
    .replace(BREAK, '\n')
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<t[dh]\b[^>]*>/gi, ' ')
    .replace(BLOCK, '\n\n')
    .replace(/<[^>]*>/g, '');
  const lines = decodeEntities(text)
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim());
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (all, decimal, hex, name: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
