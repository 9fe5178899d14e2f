/** Sockets, joins, presence and subscriptions in large numbers. */
import type { WebSocket } from 'ws';
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { waitForEnd } from '../../attacker/connections.ts';
import { openSockets } from '../../attacker/sockets.ts';
import { frame, joinFrame } from '../../realtime-frames.ts';

/** Opens many sockets from one address. */
export const socketFlood: Attack = {
  name: 'realtime/sockets',
  description: '5,000 sockets of one address, held open',
  cost: 'half of all sockets that the instance allows; memory',
  run: async (context) => {
    const sockets = await openSockets(context, { count: 5000, concurrency: 100 });
    await waitForEnd(context);
    for (const socket of sockets) socket.terminate();
  },
  goals: ({ responses }) => [{ name: 'sockets of one address', value: responses.opened ?? 0, max: 2500 }],
};

/** Opens and closes sockets continuously. */
export const socketChurn: Attack = {
  name: 'realtime/socket-churn',
  description: 'sockets that are closed as soon as they are open, 50 at once',
  cost: 'event loop: a handshake and a token check each',
  run: (context) => openSockets(context, { count: 100_000, onOpen: (socket) => socket.terminate() }),
};

/** Joins many topics. */
export const joinFlood: Attack = {
  name: 'realtime/joins',
  description: '50 sockets that join new channels, 100 a second each',
  cost: 'the joins per second of the whole instance; memory of channels',
  run: (context) => joinAgain(context, (topic, ref) => joinFrame(topic, ref)),
};

/** Joins private channels, each of which needs a policy check. */
export const privateJoins: Attack = {
  name: 'realtime/private-joins',
  description: '50 sockets of 5 accounts that join new private channels, 100 a second each',
  cost: 'a query of policies of 20 ms per join, on the connections that all private joins share',
  run: (context) =>
    joinAgain(context, (topic, ref) => {
      const accessToken = context.accounts[ref % context.accounts.length]?.accessToken ?? '';
      return joinFrame(topic, ref, { isPrivate: true, accessToken });
    }),
};

/** Subscribes with distinct filters. */
export const distinctFilters: Attack = {
  name: 'realtime/distinct-filters',
  description: '50 sockets of 5 accounts with 100 distinct filters on a table that other clients write',
  cost: 'a check of each change against 5,000 filters',
  run: async (context) => {
    await openSockets(context, {
      count: 50,
      onOpen: (socket, index) => {
        const changes = Array.from({ length: 100 }, (_, number) => ({
          event: '*',
          schema: 'public',
          table: 'abuse_items',
          filter: `title=eq.f${index}-${number}`,
        }));
        const accessToken = context.accounts[index % context.accounts.length]?.accessToken ?? '';
        socket.send(joinFrame(`filters-${index}`, 1, { accessToken, changes }));
        countReplies(context, socket);
      },
    });
    await waitForEnd(context);
  },
};

/** Tracks presence repeatedly from many sockets in one channel. */
export const presenceFlood: Attack = {
  name: 'realtime/presence',
  description: '200 sockets in one channel that track 3 KB of presence again and again',
  cost: 'event loop: each change is delivered to all members; the presence calls of the whole instance',
  run: async (context) => {
    const topic = 'presence';
    const sockets = await openSockets(context, {
      count: 200,
      onOpen: (socket, index) => {
        socket.send(joinFrame(topic, 1, { presenceKey: `member-${index}` }));
        countReplies(context, socket);
      },
    });
    const payload = { type: 'presence', event: 'track', payload: { text: 'x'.repeat(3000) } };
    const timer = setInterval(() => {
      for (const socket of sockets) socket.send(frame(1, 2, topic, 'presence', payload));
    }, 100);
    await waitForEnd(context);
    clearInterval(timer);
  },
};

/** Sends meaningless frames. */
export const frameFlood: Attack = {
  name: 'realtime/frames',
  description: '20 sockets that send 5,000 malformed or unknown frames a second each',
  cost: 'event loop: parsing frames that are dropped',
  run: async (context) => {
    const sockets = await openSockets(context, { count: 20 });
    const frames = ['[', '{"topic":1}', frame(1, 1, 'x', 'unknown', {}), JSON.stringify(Array(200).fill([]))];
    const timer = setInterval(() => {
      for (const socket of sockets) {
        if (socket.bufferedAmount > 1_000_000) continue;
        for (let n = 0; n < 50; n += 1) socket.send(frames[n % frames.length] ?? '');
      }
    }, 10);
    await waitForEnd(context);
    clearInterval(timer);
  },
};

/** Sends new tokens to a channel, each of which repeats the policy checks of the previous one. */
export const tokenPushes: Attack = {
  name: 'realtime/token-pushes',
  description: '50 sockets of 5 accounts in private channels that push tokens, 100 a second each',
  cost: 'a token check and a query of policies per push',
  run: async (context) => {
    const sockets = await openSockets(context, {
      count: 50,
      onOpen: (socket, index) => {
        const accessToken = context.accounts[index % context.accounts.length]?.accessToken ?? '';
        socket.send(joinFrame(`allowed-${index}`, 1, { isPrivate: true, accessToken }));
      },
    });
    let turn = 0;
    const timer = setInterval(() => {
      turn += 1;
      sockets.forEach((socket, index) => {
        const token = context.accounts[(index + turn) % context.accounts.length]?.accessToken ?? '';
        socket.send(frame(1, 2, `allowed-${index}`, 'access_token', { access_token: token }));
      });
    }, 10);
    await waitForEnd(context);
    clearInterval(timer);
  },
};

async function joinAgain(
  context: AttackContext,
  join: (topic: string, ref: number) => string,
): Promise<void> {
  const sockets = await openSockets(context, {
    count: 50,
    onOpen: (socket) => countReplies(context, socket),
  });
  let ref = 0;
  const timer = setInterval(() => {
    for (const socket of sockets) {
      ref += 1;
      socket.send(join(`join-${ref}`, ref));
    }
  }, 10);
  await waitForEnd(context);
  clearInterval(timer);
}

function countReplies(context: AttackContext, socket: WebSocket): void {
  socket.on('message', (data: Buffer) => {
    const text = data.toString('latin1', 0, 300);
    if (!text.includes('phx_reply')) return;
    const reason = /"reason":"(\w+)/.exec(text)?.[1];
    context.tally.count(text.includes('"status":"ok"') ? 'reply ok' : `reply ${reason ?? 'error'}`);
  });
}
