/** Completion for PowerShell. */
import type { CompletionNodes } from './nodes.ts';
import { quoteForPowerShell } from './quote.ts';

/** Returns the script, which contains the candidates as a table. */
export function powerShellCompletion({ nodes, globalFlags }: CompletionNodes): string {
  const list = (words: readonly string[]) => `@(${words.map(quoteForPowerShell).join(', ')})`;
  const entries = nodes.map(({ path, subcommands, flags }) => {
    const values = flags.flatMap(({ word, values: words }) =>
      words === undefined ? [] : [`${quoteForPowerShell(word)} = ${list(words)}`],
    );
    return `  ${quoteForPowerShell(path)} = @{ Commands = ${list(subcommands.map(({ word }) => word))}; Flags = ${list(flags.map(({ word }) => word))}; Values = @{ ${values.join('; ')} } }`;
  });
  const globalValues = globalFlags.filter(({ values }) => values !== undefined).map(({ word }) => word);
  return `# Completion of greenroom for PowerShell. Load it: greenroom completion powershell | Out-String | Invoke-Expression
$GreenroomNodes = @{
${entries.join('\n')}
}
$GreenroomFlags = ${list(globalFlags.map(({ word }) => word))}
$GreenroomValues = ${list(globalValues)}
Register-ArgumentCompleter -Native -CommandName greenroom -ScriptBlock {
  param($current, $line, $cursor)
  $at = ''
  $option = ''
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  foreach ($word in $words) {
    if ($option) { $option = ''; continue }
    if ($word -like '-*') {
      if ($GreenroomNodes[$at].Values.ContainsKey($word) -or $GreenroomValues -contains $word) { $option = $word }
      continue
    }
    $next = "$at $word".Trim()
    if ($GreenroomNodes.ContainsKey($next)) { $at = $next }
  }
  if ($option) { $found = $GreenroomNodes[$at].Values[$option] }
  elseif ($current -like '-*') { $found = $GreenroomNodes[$at].Flags + $GreenroomFlags }
  else { $found = $GreenroomNodes[$at].Commands }
  $found | Where-Object { $_ -like "$current*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}
