/**
 * Validates the form before it is sent. The code is loaded when the user starts to fill in the form. Until
 * then only the server validates, which it always does.
 */
import { useMemo } from 'react';
import type { Language } from '../../lib/language.ts';
import type { LoginView } from '../../session/login-view.ts';
import type { LoginProblems } from './credentials.ts';

type Check = (view: LoginView, form: FormData, language: Language) => LoginProblems | undefined;

/** `current` is undefined until the check is loaded; `load` loads it, once. */
export function useCheck(): { current: Check | undefined; load(): void } {
  return useMemo(() => {
    let isRequested = false;
    const check: { current: Check | undefined; load(): void } = {
      current: undefined,
      load() {
        if (isRequested) return;
        isRequested = true;
        loadCheck().then(
          (loaded) => {
            check.current = loaded;
          },
          // Without the check, the server reports the problems.
          () => {},
        );
      },
    };
    return check;
  }, []);
}

async function loadCheck(): Promise<Check> {
  const [{ checkCredentials }, { loginProblemTexts }] = await Promise.all([
    import('./credentials.ts'),
    import('../../texts/login-problems.ts'),
  ]);
  return (view, form, language) => checkCredentials(view, form, loginProblemTexts[language]).problems;
}
