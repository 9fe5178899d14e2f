/** Frames of the realtime protocol. */

/** Options of {@link joinFrame}. */
interface JoinOptions {
  isPrivate?: boolean;
  accessToken?: string;
  presenceKey?: string;
  changes?: readonly object[];
}

/** Returns a text frame of protocol 2.0.0. */
export function frame(joinRef: number, ref: number, topic: string, event: string, payload: object): string {
  return JSON.stringify([String(joinRef), String(ref), `realtime:${topic}`, event, payload]);
}

/** Returns a frame that joins a topic. @param ref also the join reference of the channel */
export function joinFrame(topic: string, ref: number, options: JoinOptions = {}): string {
  const { isPrivate = false, accessToken, presenceKey = '', changes = [] } = options;
  const config = {
    broadcast: { ack: false, self: false },
    presence: { key: presenceKey, enabled: presenceKey !== '' },
    postgres_changes: changes,
    private: isPrivate,
  };
  const payload = { config, ...(accessToken !== undefined && { access_token: accessToken }) };
  return frame(ref, ref, topic, 'phx_join', payload);
}
