/**
 * The list of content whose removal is held, in a file: after a crash or a stop, the content is still copied and then removed. Each
 * change is a line, which reaches the operating system before the change returns.
 */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { isContentVersion } from '@greenroom/backup';
import type { NamedContent } from '@greenroom/service';

const FILE_MODE = 0o600;
/** Lines that name content which is no longer held. The file is written again beyond that, if they are the majority. */
const MAX_OBSOLETE_LINES = 10_000;

/** Options of {@link HeldList}. */
interface HeldListOptions {
  /** Called when the file cannot be written; the list is then incomplete after the end of the process. */
  onError: (error: unknown) => void;
}

/** The list of one instance. One process uses it at a time. */
export class HeldList {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  readonly #held: Map<string, NamedContent>;
  #file: number | undefined;
  #obsolete = 0;

  /** Reads the file if there is one. Lines that a crash left incomplete are skipped. */
  constructor(path: string, { onError }: HeldListOptions) {
    this.#path = path;
    this.#onError = onError;
    this.#held = readLines(path, onError);
    this.#try(() => this.#rewrite());
  }

  /** The content that is held, oldest first. */
  get entries(): NamedContent[] {
    return [...this.#held.values()];
  }

  add(contents: readonly NamedContent[]): void {
    const added = contents.filter(({ version }) => !this.#held.has(version));
    for (const content of added) this.#held.set(content.version, content);
    this.#append(added.map(lineOf));
  }

  remove(versions: readonly string[]): void {
    const removed = versions.filter((version) => this.#held.delete(version));
    this.#obsolete += 2 * removed.length;
    this.#append(removed.map((version) => `${JSON.stringify([version])}\n`));
    if (this.#obsolete > MAX_OBSOLETE_LINES && this.#obsolete > this.#held.size)
      this.#try(() => this.#rewrite());
  }

  /** Removes everything. */
  clear(): void {
    this.#held.clear();
    this.#try(() => this.#rewrite());
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(lines: readonly string[]): void {
    const { length } = lines;
    if (length > 0) this.#try(() => void (this.#file !== undefined && writeSync(this.#file, lines.join(''))));
  }

  /** Replaces the file by one with the current list only. */
  #rewrite(): void {
    const next = `${this.#path}.new`;
    writeFileSync(next, this.entries.map(lineOf).join(''), { mode: FILE_MODE });
    renameSync(next, this.#path);
    this.close();
    this.#file = openSync(this.#path, 'a', FILE_MODE);
    this.#obsolete = 0;
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** A line with three fields adds content, one with a version only removes it. */
function lineOf({ bucket, key, version }: NamedContent): string {
  return `${JSON.stringify([version, bucket, key])}\n`;
}

function readLines(path: string, onError: (error: unknown) => void): Map<string, NamedContent> {
  const held = new Map<string, NamedContent>();
  for (const line of readText(path, onError).split('\n')) {
    const [version, bucket, key] = parseLine(line);
    if (version === undefined) continue;
    if (bucket === undefined || key === undefined) held.delete(version);
    else held.set(version, { version, bucket, key });
  }
  return held;
}

function readText(path: string, onError: (error: unknown) => void): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onError(error);
    return '';
  }
}

function parseLine(line: string): [version?: string, bucket?: string, key?: string] {
  try {
    const fields: unknown = JSON.parse(line);
    const isValid = Array.isArray(fields) && fields.every((field) => typeof field === 'string');
    return isValid && isContentVersion(String(fields[0])) ? (fields as [string, string?, string?]) : [];
  } catch {
    return [];
  }
}
