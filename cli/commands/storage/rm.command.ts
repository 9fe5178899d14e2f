import { defineCommand } from '../../definition.ts';

/** `greenroom storage rm`. */
export const storageRm = defineCommand({
  path: ['storage', 'rm'],
  summary: 'Delete objects, folders or buckets, after a question for each bucket',
  arguments: [
    {
      name: 'address',
      summary: 'Addresses as ss:///bucket/path',
      isRequired: true,
      isVariadic: true,
      missing: 'storage rm requires an address, e.g. greenroom storage rm ss:///docs/a.md',
    },
  ],
  options: {
    recursive: { short: 'r', summary: 'Delete folders; for ss:///bucket, the bucket with all its objects' },
  },
  examples: [
    { line: 'storage rm ss:///docs/a.md ss:///docs/b.md', summary: 'Delete two objects' },
    { line: 'storage rm -r ss:///docs/old', summary: 'Delete a folder' },
    { line: 'storage rm -r ss:///docs --yes', summary: 'Delete a bucket without a question' },
  ],
  async run({ options: { recursive: isRecursive }, operands, project, isConfirmed }) {
    const { removeObjects } = await import('./rm.ts');
    return removeObjects({ addresses: operands, isRecursive, isConfirmed }, project);
  },
});
