import { defineCommand } from '../definition.ts';

/** `greenroom completion`. */
export const completion = defineCommand({
  path: ['completion'],
  summary: 'Print a script that makes a shell complete commands and options',
  arguments: [{ name: 'shell', summary: 'bash, zsh, fish or powershell', isRequired: true }],
  options: {},
  examples: [
    { line: 'completion bash > ~/.local/share/bash-completion/completions/greenroom', summary: 'For bash' },
    { line: 'completion zsh > ~/.zfunc/_greenroom', summary: 'For zsh, if ~/.zfunc is in $fpath' },
    { line: 'completion fish > ~/.config/fish/completions/greenroom.fish', summary: 'For fish' },
  ],
  async run({ operands: [shell = ''], program }) {
    const { completionScript } = await import('../completion/scripts.ts');
    process.stdout.write(completionScript(shell, program));
    return 0;
  },
});
