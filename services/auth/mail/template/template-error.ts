/** An invalid template. The message has the line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}
