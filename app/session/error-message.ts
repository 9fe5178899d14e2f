/** Translates the reason of an error. */

import type { Language } from '../lib/language.ts';
import { type ErrorCode, errorTexts } from '../texts/errors.ts';

/** The reason of an error: the name of a text, or a message. */
export interface ErrorReason {
  /** A name in the texts; a newer server may send names that this build does not have. */
  code?: string;
  /** Inserted into the text, if the text has a place for it. */
  value?: string;
  /** In English. Shown if the code is unknown. */
  message?: string;
}

/** Returns one sentence about an error. */
export function errorMessage({ code, value = '', message }: ErrorReason, language: Language): string {
  const { sentences } = errorTexts[language];
  if (!isErrorCode(code)) return message ?? sentences.unexpected;
  const sentence = sentences[code];
  return typeof sentence === 'string' ? sentence : sentence(value);
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(errorTexts.en.sentences, code);
}
