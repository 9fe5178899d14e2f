/**
 * The page's captcha as its forms see it. There is one widget a page, and every form that needs its token reads it
 * here; a token is good for one attempt.
 */
import { useSyncExternalStore } from 'react';

/** `failed`: the script could not be loaded, or the provider could not be reached. */
type CaptchaPhase = 'loading' | 'ready' | 'solved' | 'expired' | 'failed';

/** What components see. */
export interface CaptchaState {
  phase: CaptchaPhase;
  /** Empty unless it is solved. */
  token: string;
  /** How often somebody went on without a token since there was one. */
  missed: number;
}

/** A store in React's form. */
interface CaptchaStore {
  read(): CaptchaState;
  subscribe(listener: () => void): () => void;
  /** What the widget is doing; without a token. */
  show(phase: Exclude<CaptchaPhase, 'solved'>): void;
  /** The provider gave a token. */
  solve(token: string): void;
  /** Tells whoever goes on without a token what is missing. */
  miss(): void;
  /** The token has been sent. The widget begins anew, by what it gave to {@link onSpent}. */
  spend(): void;
  /** @param reset begins anew; undefined: there is no widget (any more) */
  onSpent(reset: (() => void) | undefined): void;
}

const START: CaptchaState = { phase: 'loading', token: '', missed: 0 };

/** Makes a store. */
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
    spend() {
      if (!resetWidget) return;
      show('ready');
      resetWidget();
    },
    onSpent(reset) {
      resetWidget = reset;
    },
  };
}

/** The store of this tab. */
export const captchaStore: CaptchaStore = createCaptchaStore();

/** The state of the page's captcha; on the server it is still loading. */
export function useCaptchaState(): CaptchaState {
  return useSyncExternalStore(captchaStore.subscribe, captchaStore.read, () => START);
}
