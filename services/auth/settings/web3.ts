/** Settings of sign-in with crypto wallets. */
import { booleanSetting, durationSetting } from '@greenroom/config';

/** The settings of one chain. */
function chain(variable: string, label: string) {
  return {
    enabled: booleanSetting(`GOTRUE_EXTERNAL_WEB3_${variable}_ENABLED`, {
      default: 'false',
      description: `Whether people may sign in with a wallet of ${label}.`,
    }),
    /** Maximum difference between now and the signing time of a message, in both directions. */
    validityMs: durationSetting(`GOTRUE_EXTERNAL_WEB3_${variable}_MAXIMUM_VALIDITY_DURATION`, {
      default: '10m',
      description: 'How far from now the signing time of a message may be.',
    }),
  };
}

export const web3Tree = { ethereum: chain('ETHEREUM', 'Ethereum'), solana: chain('SOLANA', 'Solana') };
