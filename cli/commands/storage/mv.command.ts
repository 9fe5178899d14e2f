import { defineCommand } from '../../definition.ts';

/** `greenroom storage mv`. */
export const storageMv = defineCommand({
  path: ['storage', 'mv'],
  summary: 'Move objects inside of a bucket',
  arguments: [
    { name: 'source', summary: 'Address as ss:///bucket/path', isRequired: true },
    { name: 'target', summary: 'Address in the same bucket', isRequired: true },
  ],
  options: { recursive: { short: 'r', summary: 'Move all objects of a folder' } },
  examples: [
    { line: 'storage mv ss:///docs/a.md ss:///docs/old/a.md', summary: 'Move an object' },
    { line: 'storage mv -r ss:///docs/2025 ss:///docs/old/2025', summary: 'Move a folder' },
  ],
  async run({ options: { recursive: isRecursive }, operands: [source = '', target = ''], project }) {
    return (await import('./mv.ts')).moveObjects({ source, target, isRecursive }, project);
  },
});
