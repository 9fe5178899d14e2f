/** Lines of the log in the browser: the order of loaded and followed lines, and the texts of a line. */

/** A line, as the backend returns it. */
export interface LogLine {
  /** The place of the line. */
  id: string;
  time: string | null;
  level: string | null;
  service: string;
  message: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Lines, newest first. */
export interface LogPage {
  is_kept: boolean;
  lines: LogLine[];
  /** Where older lines begin; null at the end of the log. */
  next: string | null;
  /** Time of the oldest line that was searched. */
  searched_to: string | null;
}

/** Followed lines that the browser keeps; older ones are loaded again on demand. */
export const MAX_FOLLOWED = 2000;

/** Joins followed lines (oldest first) with loaded ones (newest first). Each line is shown once, newest first. */
export function joinLines(followed: readonly LogLine[], loaded: readonly LogLine[]): LogLine[] {
  const known = new Set(loaded.map(({ id }) => id));
  return [...followed.filter(({ id }) => !known.has(id)).reverse(), ...loaded];
}

/** Adds new lines, and removes the oldest ones above the maximum. */
export function addFollowed(followed: readonly LogLine[], added: readonly LogLine[]): LogLine[] {
  return [...followed, ...added].slice(-MAX_FOLLOWED);
}

/** Returns the text of a row: method and path of a request, or the message. */
export function summaryOf({ message, fields }: LogLine): string {
  const { method, path, postgres, function: name, err, text } = fields;
  if (typeof method === 'string' && typeof path === 'string') return `${method} ${path}`;
  if (typeof postgres === 'string') return postgres;
  const prefix = typeof name === 'string' ? `${name}: ` : '';
  const problem = isError(err) ? `: ${err.message}` : '';
  return prefix + (typeof text === 'string' ? text : message) + problem;
}

/** Returns the fields for the details of a line: name and text, the stack of an error last. */
export function detailsOf({ fields }: LogLine): { name: string; text: string; isLong: boolean }[] {
  return Object.entries(fields)
    .map(([name, value]) => {
      const text = isError(value) ? (value.stack ?? value.message) : textOf(value);
      return { name, text, isLong: text.includes('\n') || text.length > 120 };
    })
    .sort((a, b) => Number(a.isLong) - Number(b.isLong));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function isError(value: unknown): value is { message: string; stack?: string } {
  return typeof value === 'object' && value !== null && 'message' in value;
}
