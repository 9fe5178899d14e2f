/** Streams to an administrator end when the session or the role ends. */
import { checkAccess } from '../../../session/access.ts';
import { sessionContext } from '../../../shell/request/contexts.server.ts';
import { callAuth, type VisitorArgs } from '../../../shell/request/visitor.server.ts';

const CHECK_MS = 10_000;

/**
 * Returns a stream that ends when the visitor loses access to the admin area, or the session ends. Access is checked every
 * ten seconds.
 * @param stop ends the source; called when the stream ends for any reason
 */
export function whileAdmin(
  args: VisitorArgs,
  source: ReadableStream<Uint8Array>,
  stop: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let timer: ReturnType<typeof setInterval> | undefined;
  const end = () => {
    clearInterval(timer);
    stop();
  };
  return new ReadableStream<Uint8Array>({
    start() {
      timer = setInterval(async () => {
        if (await hasAccess(args)) return;
        end();
        await reader.cancel().catch(() => undefined);
      }, CHECK_MS);
    },
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (!done && value) return controller.enqueue(value);
      end();
      controller.close();
    },
    cancel: end,
  });
}

/** Uses the token of the request, and refreshes no session: the response can no longer set cookies. */
async function hasAccess(args: VisitorArgs): Promise<boolean> {
  const claims = args.context.get(sessionContext)?.claims;
  const response = await callAuth(args, '/user').catch(() => undefined);
  if (claims === undefined || !response?.ok) return false;
  const user = (await response.json()) as {
    app_metadata: Record<string, unknown>;
    factors?: { status: string }[];
  };
  return checkAccess({ ...claims, app_metadata: user.app_metadata }, user.factors ?? []) === 'granted';
}
