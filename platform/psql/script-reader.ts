/**
 * Reads a script for psql: statements, commands that begin with a backslash, and the rows of `copy … from stdin`
 * (PostgreSQL documentation, "psql", "Meta-Commands"). It runs nothing.
 */
import { SqlTextError, StatementScan, tokensOf } from '@greenroom/project/sql';
import { ScriptError } from './script-error.ts';
import { countLines, type ScriptText } from './script-text.ts';

/** A statement without its semicolon. */
export interface ScriptStatement {
  kind: 'statement';
  text: string;
  /** Line of the script where `text` begins. */
  line: number;
  /** Whether the rows of `copy … from stdin` follow, which must be read before the next item. */
  hasRows: boolean;
}

/** A command of psql. */
export interface ScriptCommand {
  kind: 'command';
  /** Without the backslash, e.g. `set`. */
  name: string;
  /** The rest of the line, or the text up to the next backslash outside of quotes. */
  argumentText: string;
  line: number;
  /**
   * The statement in front of the command, without a semicolon: commands such as `\gset` run it, others leave it where it
   * is.
   */
  query: { text: string; line: number } | undefined;
}

/** Commands that end the statement in front of them. */
const ENDING_COMMANDS: readonly string[] = ['g', 'gx', 'gset', 'gexec', 'gdesc', 'r', 'reset'];
const COMMAND_NAME = /^(?:[A-Za-z_]+|\S?)/;
/** Arguments end at the first backslash outside of quotes. */
const ARGUMENTS = /^(?:[^\\'"`]|'(?:[^'\\]|\\.|'')*'|"[^"]*"|`[^`]*`)*/;
/** The line after the last row. */
const END_OF_ROWS = /(?:^|\n)\\\.\r?(?:\n|$)/;

/** Reads a script from its beginning to its end. */
export class ScriptReader implements AsyncDisposable {
  readonly #source: ScriptText;
  readonly #name: string;

  /** @param name the file, for messages */
  constructor(source: ScriptText, name: string) {
    this.#source = source;
    this.#name = name;
  }

  /** Returns the next item; undefined at the end. Throws {@link ScriptError} for quotes and comments without an end. */
  async next(): Promise<ScriptStatement | ScriptCommand | undefined> {
    for (;;) {
      const found = this.#scan();
      if (found === 'end') return undefined;
      if (found === 'incomplete') await this.#source.load();
      else if (found !== 'empty') return found;
    }
  }

  /**
   * Returns the rows after a statement that has rows, in pieces of whole lines. Throws {@link ScriptError} if the script ends
   * before them.
   */
  async *rows(): AsyncGenerator<string> {
    await this.#dropLine();
    const { line } = this.#source;
    for (;;) {
      const { text, isComplete } = this.#source;
      const end = END_OF_ROWS.exec(text);
      // The end of the loaded text is not the end of its line.
      if (end !== null && (isComplete || end[0].endsWith('\n'))) {
        const rows = text.slice(0, end[0].startsWith('\n') ? end.index + 1 : end.index);
        if (rows !== '') yield rows;
        this.#source.drop(end.index + end[0].length);
        return;
      }
      if (isComplete)
        throw this.#error('the rows that begin here have no end: a line with only \\. is missing', line);
      const lines = text.slice(0, text.lastIndexOf('\n') + 1);
      if (lines !== '') yield lines;
      this.#source.drop(lines.length);
      await this.#source.load();
    }
  }

  /** Ends the reading. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#source.close();
  }

  #error(message: string, line: number): ScriptError {
    return new ScriptError(`${this.#name}, line ${line}: ${message}`);
  }

  #scan(): ScriptStatement | ScriptCommand | 'empty' | 'incomplete' | 'end' {
    const { text, isComplete, line } = this.#source;
    const scan = new StatementScan(text);
    try {
      for (const token of tokensOf(text)) {
        if (token.kind === 'backslash') return this.#command(token.start, scan);
        if (scan.add(token)) return this.#statement(token.end, scan) ?? 'empty';
      }
    } catch (error) {
      if (!(error instanceof SqlTextError)) throw error;
      if (!isComplete) return 'incomplete';
      throw this.#error(error.message, line + countLines(text, error.offset));
    }
    if (!isComplete) return 'incomplete';
    return this.#statement(text.length, scan) ?? 'end';
  }

  /** Takes a statement from the text; undefined if it is empty. */
  #statement(end: number, { codeStart, exchange }: StatementScan): ScriptStatement | undefined {
    const { text } = this.#source;
    this.#source.drop(codeStart ?? end);
    if (codeStart === undefined) return undefined;
    const { line } = this.#source;
    const statement = text.slice(codeStart, end).replace(/;$/, '').trimEnd();
    this.#source.drop(end - codeStart);
    if (statement === '') return undefined;
    return { kind: 'statement', text: statement, line, hasRows: exchange === 'from stdin' };
  }

  /** Takes a command from the text. */
  #command(start: number, { codeStart }: StatementScan): ScriptCommand | 'incomplete' {
    const { text, isComplete } = this.#source;
    const lineEnd = text.indexOf('\n', start);
    if (lineEnd === -1 && !isComplete) return 'incomplete';
    const content = text.slice(start + 1, lineEnd === -1 ? text.length : lineEnd).replace(/\r$/, '');
    const [name = ''] = COMMAND_NAME.exec(content) ?? [];
    const [argumentText = ''] = ARGUMENTS.exec(content.slice(name.length)) ?? [];
    const line = this.#source.line + countLines(text, start);
    const rest = content.slice(name.length + argumentText.length);
    if (/^['"`]/.test(rest)) throw this.#error(`the quote ${rest[0]} in \\${name} has no end`, line);
    // Two backslashes separate commands.
    const end = start + 1 + name.length + argumentText.length + (rest.startsWith('\\\\') ? 2 : 0);
    const query = codeStart === undefined ? undefined : this.#queryBefore(codeStart, start);
    if (query === undefined || ENDING_COMMANDS.includes(name)) this.#source.drop(end);
    else this.#source.cut(start, end);
    return { kind: 'command', name, argumentText: argumentText.trim(), line, query };
  }

  #queryBefore(codeStart: number, end: number): { text: string; line: number } {
    const { text, line } = this.#source;
    return { text: text.slice(codeStart, end).trimEnd(), line: line + countLines(text, codeStart) };
  }

  /** Drops the rest of the line, which psql ignores after `copy … from stdin;`. */
  async #dropLine(): Promise<void> {
    for (;;) {
      const { text, isComplete } = this.#source;
      const end = text.indexOf('\n');
      if (end === -1 && !isComplete) await this.#source.load();
      else {
        this.#source.drop(end === -1 ? text.length : end + 1);
        return;
      }
    }
  }
}
