/** Decodes texts in form encoding (application/x-www-form-urlencoded), as in query strings and bodies. */

/**
 * Decodes a name or a value. A percent sign that is not followed by two hexadecimal digits stands for itself, as in
 * PostgREST: `like.100%`. Returns undefined if the bytes are not UTF-8.
 */
export function decodeFormText(text: string): string | undefined {
  const spaced = text.replaceAll('+', ' ');
  return decoded(spaced) ?? decoded(spaced.replace(/%(?![\da-f]{2})/gi, '%25'));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
