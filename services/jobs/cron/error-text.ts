/** The texts of errors in `cron.job_run_details`, as libpq formats them. */
import type pg from 'pg';

/** Width of the excerpt of a long line, and of its part behind the position. */
const EXCERPT_CHARACTERS = 60;
const BEHIND_CHARACTERS = 10;

/** The fields of an error of PostgreSQL. */
type ErrorFields = Pick<pg.DatabaseError, 'severity' | 'message' | 'detail' | 'hint' | 'where' | 'position'>;

/** Returns the lines that psql prints for an error of a statement. */
export function errorText(error: ErrorFields, command: string): string {
  const { severity = 'ERROR', message, detail, hint, where, position } = error;
  return [
    `${severity}:  ${message}`,
    ...(position === undefined ? [] : markedLine(command, Number(position))),
    ...(detail === undefined ? [] : [`DETAIL:  ${detail}`]),
    ...(hint === undefined ? [] : [`HINT:  ${hint}`]),
    ...(where === undefined ? [] : [`CONTEXT:  ${where}`]),
    '',
  ].join('\n');
}

/** @param position number of a character, from 1 on */
function markedLine(command: string, position: number): string[] {
  const before = [...command].slice(0, position - 1).join('');
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineNumber = before.split('\n').length;
  const [line = ''] = command.slice(lineStart).split('\n', 1);
  const characters = [...line.replaceAll('\t', ' ')];
  const column = [...before.slice(lineStart)].length;
  const start = Math.max(0, Math.min(column + BEHIND_CHARACTERS, characters.length) - EXCERPT_CHARACTERS);
  const end = Math.min(characters.length, start + EXCERPT_CHARACTERS);
  const prefix = `LINE ${lineNumber}: ${start > 0 ? '...' : ''}`;
  const suffix = end < characters.length ? '...' : '';
  return [
    `${prefix}${characters.slice(start, end).join('')}${suffix}`,
    `${' '.repeat(prefix.length + column - start)}^`,
  ];
}
