/**
 * The check of the form before the server is asked. It is loaded when somebody begins to fill the form in: the page
 * itself needs none of it, and until it is there the server, which checks all forms anyway, does so alone.
 */
import { useMemo } from 'react';
import type { Language } from '../../lib/language.ts';
import type { LoginView } from '../../session/login-view.ts';
import type { LoginProblems } from './credentials.ts';

type Check = (view: LoginView, form: FormData, language: Language) => LoginProblems | undefined;

/** `current` is undefined until the check is there; `load` fetches it, once. */
export function useCheck(): { current: Check | undefined; load(): void } {
  return useMemo(() => {
    let isAsked = false;
    const check: { current: Check | undefined; load(): void } = {
      current: undefined,
      load() {
        if (isAsked) return;
        isAsked = true;
        loadCheck().then(
          (loaded) => {
            check.current = loaded;
          },
          // Without it the server says what is wrong.
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
