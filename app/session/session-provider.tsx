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
import { type ClientSession, compareSessions } from './client-session.ts';
import { completeSignOut } from './sign-out-events.ts';

const SIGNED_OUT: ClientSession = { session: null, user: null };
const SessionContext = createContext(SIGNED_OUT);

/** Returns the current session and its user. */
export function useSession(): ClientSession {
  return useContext(SessionContext);
}

/**
 * `loaded` is the server's latest state; a new object replaces the state from events. It is undefined if
 * the server could not determine the session: then this tab appears signed out, but does not notify other
 * tabs.
 */
export function SessionProvider(props: { loaded: ClientSession | undefined; children: ReactNode }) {
  const { loaded, children } = props;
  const [seen, setSeen] = useState(loaded);
  const [clientSession, setClientSession] = useState(loaded ?? SIGNED_OUT);
  if (seen !== loaded) {
    setSeen(loaded);
    setClientSession(loaded ?? SIGNED_OUT);
  }
  const { revalidate } = useRevalidator();
  const state = useRef({ clientSession, revalidate });
  useEffect(() => {
    state.current = { clientSession, revalidate };
  });
  const applyState = useMemo(
    () => (next: ClientSession) => {
      const { isDifferent, mustRevalidate } = compareSessions(state.current.clientSession, next);
      if (isDifferent) setClientSession(next);
      if (mustRevalidate) void state.current.revalidate();
    },
    [],
  );
  useClearOnUserChange(clientSession.user?.sub);
  useAuthEvents(clientSession.user !== null, applyState);
  useOtherTabs(loaded && (clientSession.user?.sub ?? null), () => void state.current.revalidate());
  return <SessionContext value={clientSession}>{children}</SessionContext>;
}

/**
 * Clears prefetched payloads when the user changes, since they must never be shown to another user.
 * Sign-out listeners clear their data, too.
 */
function useClearOnUserChange(userId: string | undefined): void {
  const seen = useRef(userId);
  useClientLayoutEffect(() => {
    if (seen.current !== userId) {
      payloads.clear();
      completeSignOut(userId);
    }
    seen.current = userId;
  }, [userId]);
}

/** Runs before the user can click; on the server there is no layout. */
const useClientLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;

function useAuthEvents(isSignedIn: boolean, applyState: (next: ClientSession) => void): void {
  const { config } = usePage();
  useEffect(() => {
    if (!isSignedIn) return;
    let isCancelled = false;
    let stop = () => {};
    void import('./browser-client.ts').then(({ browserClient, followAuth }) => {
      if (!isCancelled) stop = followAuth(browserClient(config), applyState);
    });
    return () => {
      isCancelled = true;
      stop();
    };
  }, [isSignedIn, config, applyState]);
}

/**
 * Notifies other tabs of the signed-in user, and reloads the data if they report another user. The official
 * client has a channel for this, but it is not loaded on the sign-in page, and it does not notice a sign-in
 * or sign-out by the server.
 */
function useOtherTabs(userId: string | null | undefined, reload: () => void): void {
  const { cookiePrefix } = usePage().config;
  const own = useRef({ userId, reload });
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const tabs = new BroadcastChannel(`${cookiePrefix}-tabs`);
    tabs.onmessage = ({ data }: MessageEvent<{ userId: string | null }>) => {
      if (data.userId !== own.current.userId) own.current.reload();
    };
    // A page from the back/forward cache may be outdated.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && own.current.reload();
    window.addEventListener('pageshow', onShow);
    channel.current = tabs;
    return () => {
      channel.current = null;
      tabs.close();
      window.removeEventListener('pageshow', onShow);
    };
  }, [cookiePrefix]);
  useEffect(() => {
    own.current = { userId, reload };
  });
  useEffect(() => {
    if (userId !== undefined) channel.current?.postMessage({ userId });
  }, [userId]);
}
