/** Mistakes in the files of a product. */

/** Returns an error for the author of a product. Its message names the file and the allowed values, so it has no stack. */
export function productProblem(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
