/**
 * Runs a script on one connection like `psql --no-psqlrc --quiet --no-align --tuples-only --set ON_ERROR_STOP=1 --file`:
 * each statement is sent by itself, and the script decides about transactions.
 */
import { dirname, relative, resolve } from 'node:path';
import { queryError } from '@greenroom/project/sql';
import { argumentsOf, type CommandArgument } from './arguments.ts';
import { booleanOf, Conditions, isCondition } from './conditions.ts';
import { readScript } from './read-script.ts';
import type { ScriptConnection, ScriptResult } from './script-connection.ts';
import { ScriptError } from './script-error.ts';
import type { ScriptCommand, ScriptReader, ScriptStatement } from './script-reader.ts';
import { interpolate, isVariableName, type Variables } from './variables.ts';

/** Options of {@link runScript}. */
interface ScriptOptions {
  connection: ScriptConnection;
  /** Path of the file. Messages show it relative to the current folder. */
  path: string;
  /** Folder to which the paths of `\i` are relative. Those of `\ir` are relative to the file. */
  folder: string;
  /** Receives rows, with columns separated by `|`, and the texts of `\echo`. They may contain line breaks. */
  onOutput: (text: string) => void;
  /** Receives the texts of `\warn`, and errors after which the script continues. */
  onMessage: (text: string) => void;
}

/** Commands about the format of results, which has no effect on tests. */
const WITHOUT_EFFECT: readonly string[] = [
  ...['a', 'C', 'encoding', 'f', 'H', 'html', 'pset', 'restrict', 't', 'T', 'timing', 'unrestrict', 'x'],
];
const ALTERNATIVES = '\\set, \\unset, \\i, \\ir, \\echo, \\warn, \\gset, \\gexec and \\if';
/** Deeper includes are a cycle. */
const MAX_INCLUDES = 32;

/**
 * Runs a script to its end, or to its first error, unless the script turns `ON_ERROR_STOP` off. Rejects with
 * {@link ScriptError}, which names file and line.
 */
export async function runScript(options: ScriptOptions): Promise<void> {
  const variables: Variables = new Map([['ON_ERROR_STOP', '1']]);
  await new ScriptRun(options, variables, 0).run();
}

/** The run of one file; files that it includes have runs of their own, with the same variables. */
class ScriptRun {
  readonly #options: ScriptOptions;
  readonly #variables: Variables;
  readonly #depth: number;
  readonly #conditions = new Conditions();
  #hasQuit = false;

  constructor(options: ScriptOptions, variables: Variables, depth: number) {
    this.#options = options;
    this.#variables = variables;
    this.#depth = depth;
  }

  get #name(): string {
    return relative('', this.#options.path);
  }

  async run(): Promise<void> {
    await using reader = await readScript(this.#options.path, this.#name);
    while (!this.#hasQuit) {
      const item = await reader.next();
      if (item === undefined) break;
      await this.#runItem(item, reader);
    }
    if (this.#conditions.depth > 0 && !this.#hasQuit)
      throw new ScriptError(`${this.#name}: an \\if has no \\endif`);
  }

  async #runItem(item: ScriptStatement | ScriptCommand, reader: ScriptReader): Promise<void> {
    try {
      if (item.kind === 'command') await this.#runCommand(item);
      else await this.#runStatement(item, reader);
    } catch (error) {
      const { message, canContinue } = this.#explain(error, item);
      if (!canContinue) throw new ScriptError(message, { cause: error });
      this.#options.onMessage(message);
    }
  }

  /** Errors of included files have their place already. */
  #explain(error: unknown, item: ScriptStatement | ScriptCommand): { message: string; canContinue: boolean } {
    const { message } = error as Error;
    if (error instanceof ScriptError) return { message, canContinue: false };
    const isStopping = booleanOf(this.#variables.get('ON_ERROR_STOP') ?? 'off') !== false;
    // A failed `copy` leaves its rows unread.
    const canContinue = !isStopping && !(item.kind === 'statement' && item.hasRows);
    const name = this.#name;
    const query = item.kind === 'statement' ? item : item.query;
    const sql = query && this.#interpolated(query.text);
    const shown = query && queryError(error, { sql: sql ?? '', path: name, firstLine: query.line });
    if (shown instanceof Error && shown !== error) return { message: shown.message, canContinue };
    return { message: `${name}, line ${item.line}: ${message}`, canContinue };
  }

  #interpolated(sql: string): string {
    return interpolate(sql, this.#variables);
  }

  async #runStatement({ text, hasRows }: ScriptStatement, reader: ScriptReader): Promise<void> {
    const { isRunning } = this.#conditions;
    if (hasRows && isRunning) await this.#options.connection.copy(this.#interpolated(text), reader.rows());
    else if (hasRows) for await (const _ of reader.rows());
    else if (isRunning) this.#print(await this.#query(text));
  }

  #query(sql: string): Promise<ScriptResult> {
    return this.#options.connection.run(this.#interpolated(sql));
  }

  #print({ columns, rows }: ScriptResult): void {
    if (columns.length === 0) return;
    for (const row of rows) this.#options.onOutput(row.map((value) => value ?? '').join('|'));
  }

  async #runCommand(command: ScriptCommand): Promise<void> {
    const { name, query } = command;
    if (isCondition(name)) {
      if (query !== undefined) throw new Error(`\\${name} cannot stand inside of a statement`);
      this.#conditions.apply(name, () => this.#evaluate(command));
    } else if (this.#conditions.isRunning) await this.#runActive(command);
  }

  async #runActive(command: ScriptCommand): Promise<void> {
    const { name, query } = command;
    if (WITHOUT_EFFECT.includes(name)) return;
    const given = argumentsOf(command.argumentText, this.#variables);
    const values = given.map(({ value }) => value);
    switch (name) {
      case 'set':
        return this.#set(values);
      case 'unset':
        for (const value of values) this.#variables.delete(value);
        return;
      case 'echo':
      case 'qecho':
        return this.#options.onOutput(echoText(given));
      case 'warn':
        return this.#options.onMessage(echoText(given));
      case 'i':
      case 'include':
        return this.#include(name, values[0], this.#options.folder);
      case 'ir':
      case 'include_relative':
        return this.#include(name, values[0], dirname(this.#options.path));
      case 'g':
      case 'gx':
        if (values.length > 0) throw new Error(`\\${name} with a file or a command is not supported`);
        if (query) this.#print(await this.#query(query.text));
        return;
      case 'gset':
        return this.#storeRow(query?.text, values[0] ?? '');
      case 'gexec':
        return this.#runCells(query?.text);
      case 'q':
      case 'quit':
        this.#hasQuit = true;
        return;
      case 'r':
      case 'reset':
        return;
      default:
        throw new Error(`the command \\${name} of psql is not supported. Supported: ${ALTERNATIVES}.`);
    }
  }

  #evaluate({ name, argumentText }: ScriptCommand): boolean {
    const [{ value } = { value: '' }] = argumentsOf(argumentText, this.#variables);
    const result = booleanOf(value);
    if (result === undefined)
      throw new Error(`"${value}" is no Boolean for \\${name}. Allowed: true, false, on, off, 1, 0.`);
    return result;
  }

  #set([variable = '', ...values]: readonly string[]): void {
    if (!isVariableName(variable)) throw new Error(`"${variable}" cannot be the name of a variable`);
    const value = values.join('');
    if (variable === 'AUTOCOMMIT' && booleanOf(value) === false)
      throw new Error('AUTOCOMMIT cannot be turned off. Write "begin;" instead.');
    this.#variables.set(variable, value);
  }

  async #include(name: string, file: string | undefined, folder: string): Promise<void> {
    if (file === undefined) throw new Error(`\\${name} requires a file`);
    if (this.#depth === MAX_INCLUDES) throw new Error('the file includes itself, or too many others');
    const included = { ...this.#options, path: resolve(folder, file) };
    await new ScriptRun(included, this.#variables, this.#depth + 1).run();
  }

  /** Stores the columns of the only row in variables. */
  async #storeRow(sql: string | undefined, prefix: string): Promise<void> {
    const { columns, rows } = await this.#query(sql ?? '');
    const [row, ...others] = rows;
    if (row === undefined || others.length > 0)
      throw new Error(`\\gset requires one row, but the statement returned ${rows.length}`);
    for (const [index, column] of columns.entries()) {
      const value = row[index];
      if (value === null || value === undefined) this.#variables.delete(prefix + column);
      else this.#set([prefix + column, value]);
    }
  }

  /** Runs each value of a result as a statement. */
  async #runCells(sql: string | undefined): Promise<void> {
    const { rows } = await this.#query(sql ?? '');
    for (const cell of rows.flat()) {
      if (cell !== null) this.#print(await this.#options.connection.run(cell).catch(withoutPosition));
    }
  }
}

/** The position of an error in a generated statement is none in the file. */
function withoutPosition({ message }: Error): never {
  throw new Error(message);
}

function echoText(given: readonly CommandArgument[]): string {
  const [first, ...others] = given;
  const shown = first?.value === '-n' && !first.isQuoted ? others : given;
  return shown.map(({ value }) => value).join(' ');
}
