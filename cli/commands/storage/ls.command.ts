import { defineCommand } from '../../definition.ts';

/** `greenroom storage ls`. */
export const storageLs = defineCommand({
  path: ['storage', 'ls'],
  summary: 'List buckets, folders and objects whose names begin with a path',
  description:
    'Names of folders and buckets end with a slash; a path with a slash at its end lists their content.',
  arguments: [{ name: 'path', summary: 'Address as ss:///bucket/path (default: ss:///, all buckets)' }],
  options: { recursive: { short: 'r', summary: 'List all objects, by their whole paths' } },
  examples: [
    { line: 'storage ls', summary: 'List the buckets' },
    { line: 'storage ls ss:///photos/2026/', summary: 'List the folder 2026 of the bucket photos' },
    { line: 'storage ls -r ss:///photos/', summary: 'List all objects of the bucket photos' },
  ],
  async run({ options: { recursive: isRecursive }, operands: [address], project }) {
    return (await import('./ls.ts')).listStorage({ address, isRecursive }, project);
  },
});
