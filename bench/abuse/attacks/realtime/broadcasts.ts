/** Broadcasts over HTTP and over sockets. */
import type { Attack } from '../../attacker/attack.ts';
import { waitForEnd } from '../../attacker/connections.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';
import { openSockets } from '../../attacker/sockets.ts';
import { frame, joinFrame } from '../../realtime-frames.ts';

const MESSAGES = 50_000;

/** Sends batches over HTTP. */
export const broadcastBatches: Attack = {
  name: 'realtime/broadcast-batches',
  description: 'POST /api/broadcast with 50,000 messages, 2 at once',
  cost: 'event loop: parsing, validating and delivering 50,000 messages per request',
  run: (context) => {
    const messages = Array.from({ length: MESSAGES }, (_, index) => ({
      topic: `t${index % 100}`,
      event: 'e',
      payload: { index },
    }));
    const body = JSON.stringify({ messages });
    return flood(context, {
      sockets: 2,
      request: () => ({ path: '/realtime/v1/api/broadcast', headers: apiHeaders(context), body }),
    });
  },
};

/** Sends batches to private topics, each of which needs a policy check. */
export const privateBatches: Attack = {
  name: 'realtime/private-batches',
  description:
    'POST /api/broadcast with 5,000 messages to different private topics, by an account, 2 at once',
  cost: 'a query of policies per topic, on the connections that joins need',
  run: (context) => {
    const messages = Array.from({ length: 5000 }, (_, index) => ({
      topic: `private-${index}`,
      event: 'e',
      payload: {},
      private: true,
    }));
    const headers = apiHeaders(context, context.accounts[0]?.accessToken);
    const body = JSON.stringify({ messages });
    return flood(context, {
      sockets: 2,
      request: () => ({ path: '/realtime/v1/api/broadcast', headers, body }),
    });
  },
};

/** Broadcasts over sockets to topics with many members. */
export const broadcastFlood: Attack = {
  name: 'realtime/broadcasts',
  description: '100 sockets in one channel, 5 of which send 500 broadcasts a second each',
  cost: 'event loop: 250,000 deliveries a second',
  run: async (context) => {
    const sockets = await openSockets(context, {
      count: 100,
      onOpen: (socket) => socket.send(joinFrame('flood', 1)),
    });
    const message = frame(1, 2, 'flood', 'broadcast', {
      type: 'broadcast',
      event: 'e',
      payload: { text: 'x'.repeat(100) },
    });
    const timer = setInterval(() => {
      for (const socket of sockets.slice(0, 5)) for (let n = 0; n < 5; n += 1) socket.send(message);
    }, 10);
    await waitForEnd(context);
    clearInterval(timer);
  },
};

/** Sends large frames. */
export const largeFrames: Attack = {
  name: 'realtime/large-frames',
  description:
    '10 sockets in one channel; each sends a frame of 2.9 MB, waits until it is sent, and sends the next',
  cost: 'event loop and memory: 29 MB of deliveries per frame',
  run: async (context) => {
    const payload = { type: 'broadcast', event: 'e', payload: { text: 'x'.repeat(2_900_000) } };
    const message = frame(1, 2, 'large', 'broadcast', payload);
    const sockets = await openSockets(context, {
      count: 10,
      onOpen: (socket) => socket.send(joinFrame('large', 1)),
    });
    const sendAgain = (index: number) => {
      const socket = sockets[index];
      if (context.signal.aborted || socket?.readyState !== socket?.OPEN) return;
      socket?.send(message, () => setTimeout(sendAgain, 20, index));
    };
    sockets.forEach((_, index) => {
      sendAgain(index);
    });
    await waitForEnd(context);
  },
};

/** Opens sockets that stop reading while others broadcast to them. */
export const unreadBroadcasts: Attack = {
  name: 'realtime/unread-broadcasts',
  description: '200 members that read nothing, and a sender of 50 KB broadcasts',
  cost: 'memory: up to 8 MB waiting per socket',
  run: async (context) => {
    const topic = 'unread';
    await openSockets(context, {
      count: 200,
      onOpen: (socket) => {
        socket.send(joinFrame(topic, 1));
        setTimeout(() => socket.pause(), 500);
      },
    });
    const [sender] = await openSockets(context, {
      count: 1,
      onOpen: (socket) => socket.send(joinFrame(topic, 1)),
    });
    const message = frame(1, 2, topic, 'broadcast', {
      type: 'broadcast',
      event: 'e',
      payload: { text: 'x'.repeat(50_000) },
    });
    const timer = setInterval(() => sender?.send(message), 20);
    await waitForEnd(context);
    clearInterval(timer);
  },
};
