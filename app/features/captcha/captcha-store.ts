/**
 * The state of the page's captcha for its forms. A page has one widget, and every form reads the token
 * here; a token is valid for one attempt.
 */
import { useSyncExternalStore } from 'react';

/** `failed`: the script could not be loaded, or the provider could not be reached. */
type CaptchaPhase = 'loading' | 'ready' | 'solved' | 'expired' | 'failed';

/** State for components. */
export interface CaptchaState {
  phase: CaptchaPhase;
  /** Empty unless it is solved. */
  token: string;
  /** Number of submissions without a token since the last token. */
  missed: number;
}

/** A store for `useSyncExternalStore`. */
interface CaptchaStore {
  read(): CaptchaState;
  subscribe(listener: () => void): () => void;
  /** Sets the phase of the widget, and clears the token. */
  show(phase: Exclude<CaptchaPhase, 'solved'>): void;
  /** Sets the provider's token. */
  solve(token: string): void;
  /** Records a submission without a token, so that the missing step is shown. */
  miss(): void;
  /** Clears the token after it was sent, and restarts the widget with the function set by {@link setReset}. */
  consume(): void;
  /** @param reset restarts the widget; undefined if there is none */
  setReset(reset: (() => void) | undefined): void;
}

const START: CaptchaState = { phase: 'loading', token: '', missed: 0 };

export function createCaptchaStore(): CaptchaStore {
  const listeners = new Set<() => void>();
  let state = START;
  let resetWidget: (() => void) | undefined;
  const update = (change: Partial<CaptchaState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const show: CaptchaStore['show'] = (phase) =>
    update({ phase, token: '', ...(phase === 'loading' && { missed: 0 }) });
  return {
    read: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show,
    solve: (token) => update({ phase: 'solved', token, missed: 0 }),
    miss: () => update({ missed: state.missed + 1 }),
    consume() {
      if (!resetWidget) return;
      show('ready');
      resetWidget();
    },
    setReset(reset) {
      resetWidget = reset;
    },
  };
}

/** The store of this tab. */
export const captchaStore: CaptchaStore = createCaptchaStore();

/** Returns the state of the page's captcha; on the server it is `loading`. */
export function useCaptchaState(): CaptchaState {
  return useSyncExternalStore(captchaStore.subscribe, captchaStore.read, () => START);
}
