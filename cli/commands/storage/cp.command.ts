import { defineCommand } from '../../definition.ts';

/** `greenroom storage cp`. */
export const storageCp = defineCommand({
  path: ['storage', 'cp'],
  summary: 'Upload files as objects, or download objects as files',
  description: 'One of the two is an address of storage. Without -r, an existing file or object is an error.',
  arguments: [
    {
      name: 'source',
      summary: 'File, folder, or address as ss:///bucket/path',
      isRequired: true,
    },
    { name: 'target', summary: 'Address, or file or folder', isRequired: true },
  ],
  options: {
    recursive: {
      short: 'r',
      summary: 'Copy a folder with its subfolders, and replace existing files and objects',
    },
    'cache-control': {
      value: 'header',
      default: 'max-age=3600',
      summary: 'Header Cache-Control of uploaded objects',
    },
    'content-type': { value: 'type', summary: 'Media type of uploaded objects (default: by the file name)' },
    jobs: { short: 'j', value: 'n', integerFrom: 1, default: '1', summary: 'Number of concurrent transfers' },
  },
  examples: [
    { line: 'storage cp readme.md ss:///docs/readme.md', summary: 'Upload a file' },
    { line: 'storage cp -r pictures ss:///photos -j 4', summary: 'Upload a folder, four files at a time' },
    { line: 'storage cp -r ss:///photos .', summary: 'Download a bucket into the folder photos' },
  ],
  async run({
    options: { recursive: isRecursive, 'cache-control': cacheControl, 'content-type': contentType, jobs },
    operands: [source = '', target = ''],
    project,
  }) {
    const { copyFiles } = await import('./cp.ts');
    const headers = { cacheControl, contentType };
    return copyFiles({ source, target, isRecursive, headers, jobs }, project);
  },
});
