/**
 * Formats values as Elixir's `inspect` does: the messages of the hosted service contain values in this form, and
 * clients compare messages.
 */

/** Formats a JSON value. Keys of maps are sorted. */
export function inspect(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'string') return inspectText(value);
  if (Array.isArray(value)) return `[${value.map(inspect).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `%{${entries.map(([key, item]) => `${inspectText(key)} => ${inspect(item)}`).join(', ')}}`;
}

function inspectText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('#{', '\\#{')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
