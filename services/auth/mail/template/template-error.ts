/** What is wrong with a template. */

/** A template that cannot be used; the message names the line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}
