/** The text of an error for the user. */
import { ConfigError } from '@greenroom/config';
import { FolderInUseError } from '@greenroom/data-folder';

/**
 * Returns the lines for an error. One that the user cannot fix has its stack on request.
 * @param isDebug whether stacks are requested
 */
export function explainError(error: unknown, isDebug: boolean): string[] {
  // The original error comes first; errors during the clean-up may be its consequences.
  if (error instanceof SuppressedError)
    return [...explainError(error.suppressed, isDebug), ...explainError(error.error, isDebug)];
  if (!(error instanceof Error)) return [String(error)];
  // One line for each wrong setting.
  if (error instanceof ConfigError) return error.message.split('\n');
  const expected = error instanceof FolderInUseError || error.name !== 'Error';
  return [expected || !isDebug ? error.message : (error.stack ?? error.message)];
}
