/** Puts an error's reason into words. */

import type { Language } from '../lib/language.ts';
import { type ErrorCode, errorTexts } from '../texts/errors.ts';

/** Why something failed: a sentence of the texts by its name, or somebody else's words. */
export interface ErrorReason {
  /** One of the names in the texts; a newer server may know others. */
  code?: string;
  /** What the sentence is about, if it names something. */
  value?: string;
  /** In English. Shown where the code says nothing. */
  message?: string;
}

/** One sentence about an error. */
export function errorMessage({ code, value = '', message }: ErrorReason, language: Language): string {
  const { sentences } = errorTexts[language];
  if (!isErrorCode(code)) return message ?? sentences.unexpected;
  const sentence = sentences[code];
  return typeof sentence === 'string' ? sentence : sentence(value);
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(errorTexts.en.sentences, code);
}
