/** Captures the output of commands that run in the process of a test. */
import { afterEach, beforeEach, vi } from 'vitest';

/** The output since the start of the test, or since a test has emptied it. */
interface CapturedOutput {
  output: string;
  errors: string;
}

/** Replaces the standard output and the standard error in each test of the file, or of the group that calls it. */
export function captureOutput(): CapturedOutput {
  const captured: CapturedOutput = { output: '', errors: '' };
  beforeEach(() => {
    Object.assign(captured, { output: '', errors: '' });
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      captured.output += text;
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      captured.errors += text;
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return captured;
}
