/** Uploads of different sizes, speeds and protocols. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { waitForEnd } from '../../attacker/connections.ts';
import { errorLabel, flood, send } from '../../attacker/http.ts';

const OBJECT = '/storage/v1/object/abuse/attack';
const LARGE_BYTES = 50 * 1024 * 1024;

/** Sends large uploads slowly. */
export const slowUploads: Attack = {
  name: 'storage/slow-uploads',
  description: '100 uploads of 50 MB at once, 16 KB every 100 ms each, by an account',
  cost: 'an open file, a connection and buffers each, for as long as the sender likes',
  run: (context) => sendSlowly(context, 100),
};

/** Sends large uploads at full speed. */
export const largeUploads: Attack = {
  name: 'storage/large-uploads',
  description: 'uploads of 50 MB that overwrite 5 objects, 5 at once, by an account',
  cost: 'disk and processor: hashing and writing',
  run: (context) => {
    const body = Buffer.alloc(LARGE_BYTES, 'large');
    return flood(context, {
      sockets: 5,
      maxRequests: 200,
      request: (index) => ({
        path: `${OBJECT}/large-${index % 5}`,
        headers: uploadHeaders(context, 0),
        body,
      }),
    });
  },
};

/** Sends many small uploads. */
export const smallUploads: Attack = {
  name: 'storage/small-uploads',
  description: 'uploads of 1 KB to new keys, by 5 accounts, 50 at once',
  cost: 'several queries, a file and an fsync per request; rows and files that stay',
  run: (context) => {
    const body = Buffer.alloc(1024, 'small');
    return flood(context, {
      sockets: 50,
      maxRequests: 50_000,
      request: (index) => ({
        path: `${OBJECT}/small/${context.accounts[0]?.userId}/${index}`,
        headers: uploadHeaders(context, index),
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
  run: async (context) => {
    const source = `attack/copied-${context.accounts[0]?.userId}`;
    const body = Buffer.alloc(20 * 1024 * 1024, 'copy');
    await send(context, {
      path: `/storage/v1/object/abuse/${source}`,
      headers: uploadHeaders(context, 0),
      body,
    });
    const headers = { ...uploadHeaders(context, 0), 'content-type': 'application/json' };
    return flood(context, {
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
  run: (context) => {
    const body = Buffer.alloc(5 * 1024 * 1024, 'refused');
    return flood(context, {
      sockets: 20,
      request: (index) => ({
        path: `${OBJECT}/refused`,
        headers: {
          'content-type': 'application/octet-stream',
          ...(index % 2 === 0 && { authorization: `Bearer ${context.anonKey}` }),
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
  run: (context) => {
    const encode = (text: string) => Buffer.from(text).toString('base64');
    return flood(context, {
      sockets: 50,
      request: (index) => ({
        method: 'POST',
        path: '/storage/v1/upload/resumable',
        headers: {
          ...uploadHeaders(context, index),
          'tus-resumable': '1.0.0',
          'upload-length': String(LARGE_BYTES),
          'upload-metadata': `bucketName ${encode('abuse')},objectName ${encode(`tus/${context.accounts[0]?.userId}-${index}`)}`,
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
  run: (context) => {
    const part = '--b\r\ncontent-disposition: form-data; name="f"\r\n\r\nx\r\n';
    const body = Buffer.from(`${part.repeat(50_000)}--b--\r\n`);
    const headers = { ...uploadHeaders(context, 0), 'content-type': 'multipart/form-data; boundary=b' };
    return flood(context, { sockets: 4, request: () => ({ path: `${OBJECT}/form`, headers, body }) });
  },
};

function uploadHeaders(context: AttackContext, index: number): Record<string, string> {
  return {
    authorization: `Bearer ${context.accounts[index % context.accounts.length]?.accessToken}`,
    'content-type': 'application/octet-stream',
    'x-upsert': 'true',
  };
}

async function sendSlowly(context: AttackContext, uploads: number): Promise<void> {
  const chunk = Buffer.alloc(16 * 1024, 'slow');
  const sending = Array.from({ length: uploads }, (_, index) => {
    const upload = request(`${context.url}${OBJECT}/slow-${index}`, {
      agent: false,
      method: 'POST',
      headers: { ...uploadHeaders(context, 0), 'content-length': LARGE_BYTES },
      localAddress: context.address,
    } as object);
    upload.on('response', (response) => {
      context.tally.count(response.statusCode ?? 0);
      response.resume();
    });
    upload.on('error', (error) => {
      if (!context.signal.aborted) context.tally.count(errorLabel(error));
    });
    return upload;
  });
  while (!context.signal.aborted) {
    for (const upload of sending) {
      if (!upload.destroyed && upload.writableLength < LARGE_BYTES) upload.write(chunk);
    }
    await sleep(100);
  }
  await waitForEnd(context);
  for (const upload of sending) upload.destroy();
}
