/** Removes quotes that names do not need, as PostgreSQL itself writes them (`quote_ident`). */
import { tokensOf } from '../sql/tokens.ts';

/** A name in quotes that means the same without them, unless it is a keyword. */
const PLAIN = /^"([a-z_][a-z0-9_]*)"$/;

/**
 * Returns the statement with fewer quotes. Texts and bodies of functions stay as they are.
 * @param keywords names that need quotes, e.g. `user`; also `char`, which means another type than `"char"`
 */
export function withPlainNames(sql: string, keywords: ReadonlySet<string>): string {
  const parts: string[] = [];
  for (const { kind, start, end } of tokensOf(sql)) {
    const text = sql.slice(start, end);
    const [, name] = (kind === 'quoted' && PLAIN.exec(text)) || [];
    parts.push(name === undefined || keywords.has(name) ? text : name);
  }
  return parts.join('');
}
