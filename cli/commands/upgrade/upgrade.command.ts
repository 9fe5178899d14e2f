import { defineCommand } from '../../definition.ts';

/** `greenroom upgrade`. */
export const upgrade = defineCommand({
  path: ['upgrade'],
  summary: 'Print the changes of a newer version of the installed package before it is installed',
  description: 'Changes nothing without --apply. The next start applies new migrations of the platform.',
  arguments: [{ name: 'release', summary: 'Version or tag on npm, or path of a tarball (default: latest)' }],
  options: {
    apply: { summary: 'Install the version as well; the instance must not run' },
  },
  examples: [
    { line: 'upgrade', summary: 'Print the changes of the newest version' },
    { line: 'upgrade ./greenroom-1.1.0.tgz', summary: 'Print those of a tarball, without a network' },
    { line: 'upgrade --apply', summary: 'Print them, and run the update' },
  ],
  async run({ options: { apply }, operands: [target], project }) {
    const { upgradePackage } = await import('./upgrade.ts');
    return upgradePackage({ target, appliesIt: apply }, project);
  },
});
