/** Texts in SQL. */

/** Quotes a text. Definitions take no parameters. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** Quotes the body of a function between dollars, with a tag that it does not contain, so that it stays legible. */
export function quoteBody(body: string): string {
  let tag = '$$';
  for (let number = 1; body.includes(tag); number++) tag = `$body${number}$`;
  // The line break also separates a dollar at the end of the body from the tag.
  return `${tag}\n${body.replace(/^\n/, '').trimEnd()}\n${tag}`;
}
