/**
 * The session for every component: starts with the server's state and follows the auth events of all tabs.
 */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useRevalidator } from 'react-router';
import { usePage } from '../lib/page/page-context.tsx';
import { payloads } from '../lib/payload/client-payload.ts';
import { settleSignOut } from './leaving.ts';
import { compareMirrored, type MirroredSession } from './mirror.ts';

const SIGNED_OUT: MirroredSession = { session: null, user: null };
const SessionContext = createContext(SIGNED_OUT);

/** Returns the current session and its user. */
export function useSession(): MirroredSession {
  return useContext(SessionContext);
}

/**
 * `loaded` is the server's latest state; a new object replaces the state from events. It is undefined if
 * the server could not determine the session: then this tab appears signed out, but does not notify other
 * tabs.
 */
export function SessionProvider(props: { loaded: MirroredSession | undefined; children: ReactNode }) {
  const { loaded, children } = props;
  const [seen, setSeen] = useState(loaded);
  const [mirrored, setMirrored] = useState(loaded ?? SIGNED_OUT);
  if (seen !== loaded) {
    setSeen(loaded);
    setMirrored(loaded ?? SIGNED_OUT);
  }
  const { revalidate } = useRevalidator();
  const state = useRef({ mirrored, revalidate });
  useEffect(() => {
    state.current = { mirrored, revalidate };
  });
  const take = useMemo(
    () => (next: MirroredSession) => {
      const { isDifferent, mustRevalidate } = compareMirrored(state.current.mirrored, next);
      if (isDifferent) setMirrored(next);
      if (mustRevalidate) void state.current.revalidate();
    },
    [],
  );
  useForgetting(mirrored.user?.sub);
  useAuthEvents(mirrored.user !== null, take);
  useOtherTabs(loaded && (mirrored.user?.sub ?? null), () => void state.current.revalidate());
  return <SessionContext value={mirrored}>{children}</SessionContext>;
}

/**
 * Clears prefetched payloads when the user changes, since they must never be shown to another user.
 * Sign-out listeners clear their data, too.
 */
function useForgetting(userId: string | undefined): void {
  const seen = useRef(userId);
  useClientLayoutEffect(() => {
    if (seen.current !== userId) {
      payloads.clear();
      settleSignOut(userId);
    }
    seen.current = userId;
  }, [userId]);
}

/** Runs before the user can click; on the server there is no layout. */
const useClientLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;

function useAuthEvents(isSignedIn: boolean, take: (next: MirroredSession) => void): void {
  const { config } = usePage();
  useEffect(() => {
    if (!isSignedIn) return;
    let isOver = false;
    let stop = () => {};
    void import('./browser-client.ts').then(({ browserClient, followAuth }) => {
      if (!isOver) stop = followAuth(browserClient(config), take);
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [isSignedIn, config, take]);
}

/**
 * Notifies other tabs of the signed-in user, and reloads the data if they report another user. The official
 * client has a channel for this, but it is not loaded on the sign-in page, and it does not notice a sign-in
 * or sign-out by the server.
 */
function useOtherTabs(userId: string | null | undefined, ask: () => void): void {
  const { cookiePrefix } = usePage().config;
  const own = useRef({ userId, ask });
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const tabs = new BroadcastChannel(`${cookiePrefix}-tabs`);
    tabs.onmessage = ({ data }: MessageEvent<{ userId: string | null }>) => {
      if (data.userId !== own.current.userId) own.current.ask();
    };
    // A page from the back/forward cache may be outdated.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && own.current.ask();
    window.addEventListener('pageshow', onShow);
    channel.current = tabs;
    return () => {
      channel.current = null;
      tabs.close();
      window.removeEventListener('pageshow', onShow);
    };
  }, [cookiePrefix]);
  useEffect(() => {
    own.current = { userId, ask };
  });
  useEffect(() => {
    if (userId !== undefined) channel.current?.postMessage({ userId });
  }, [userId]);
}
