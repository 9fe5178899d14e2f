/** Who is signed in, for every component: starts with the server's word and follows every auth event, of all tabs. */
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

/** The current session and its user. */
export function useSession(): MirroredSession {
  return useContext(SessionContext);
}

/**
 * `loaded` is what the server said last; a new object replaces what events said since. It is undefined where the
 * server could not say: then this tab shows nobody, and tells the others nothing.
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

/** What was fetched ahead for one person must never be shown to another. Others forget what they hold, too. */
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

/** Before anybody can click; on the server there is nobody. */
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
 * Tells the other tabs who is signed in here, and asks the server again when they say something else. The official
 * client has its own channel, but it is not there on the login, and the server's sign-in and sign-out pass it by.
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
    // A page that comes back from the browser's cache may show what is long over.
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
